/**
 * Function words: what a sentence may gain or lose when a user's words are turned into a fact. Negations, `always`, `only` and
 * comparisons look like function words but are not free: polarity.ts watches them.
 */

const FUNCTION_WORDS = `
a an the this that these those there here it its itself he she they them his her him we us our i me my mine you your yours
their who whom whose which what when where while why how as at by for from in into of off on onto out over to up upon with within about
across after before between during through toward towards via per plus versus vs than then thus so too also and or but nor if else
because since though although however whether either both each every all any some such same other another more most less least few
many much several own just only even still yet already again once ever never always not no nothing none without cannot nobody
neither n't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't can't couldn't mustn't hasn't haven't
be is are was were been being am do does did doing done have has had having can could may might must shall should will would let lets
please thanks thank ok okay yes yeah hey well right really very quite rather instead otherwise therefore hence ever unless until except
user users person people someone anyone everyone everything something anything thing things way ways kind case cases
now today first second next last later earlier etc one new
`;

/** Verbs that any statement may use; they say nothing of their own, but they can be denied: `never touch X`, `touch X`. */
const COMMON_VERBS = `
get gets got make makes made making take takes took go goes going gone went come comes put puts keep keeps kept give gives given
use uses used using want wants wanted like likes prefer prefers preferred need needs needed ask asks asked say says said
tell tells told know knows known mean means meant remember remembers note notes apply applies applied follow follows
read reading consult look looks looking see check checks checking work works working touch touching change changes changing
write writes writing written wrote run runs running start starts starting stay stays remain remains become becomes live lives
decide decides decided decision agree agreed choose chose chosen set sets correct corrected
`;

const listed = (text: string) => new Set(text.split(/\s+/).filter((word) => word !== ""));
const FUNCTIONS = listed(FUNCTION_WORDS);
const VERBS = listed(COMMON_VERBS);

const CHINESE = `
的 了 着 过 地 得 在 是 有 和 与 及 或 而 且 也 都 就 才 还 又 再 把 被 给 对 对于 关于 从 到 向 往 由 于 以 以及 用 让 使 请 要 会 能 可 可以
应该 应当 应 需要 需 必须 务必 一定 以后 今后 之后 之前 时候 时 如果 若 因为 因此 所以 由于 但 但是 不过 然后 并 并且 同时 这 那 这个 那个 这些
那些 这里 那里 其 它 他 她 我 你 您 们 我们 你们 他们 用户 项目 仓库 工程 自己 一个 一 个 只 仅 总是 始终 永远 一律 统一 每次 不要 不 别 不能 不得 不许 禁止
没 没有 请 吧 呢 啊 吗 呀 嘛 哦 上 下 里 中 内 外 来 去 做 说 喜欢 偏好 希望 想 记住 已 已经 将 曾 绝对 直接 为 为了 则 即 等 之 所 按 照 按照 每 例如 比如 譬如 包括 拿 改 改为 改成
`;

const CHINESE_WORDS = listed(CHINESE);
const LONGEST = Math.max(...Array.from(CHINESE_WORDS, (word) => word.length));

/** True for an English function word. `word` folded. */
export function isFunctionWord(word: string): boolean {
  return FUNCTIONS.has(word) || word.startsWith("'");
}

/** True for an English function word or common verb. `word` folded, `stem` its stem. */
export function isGlue(word: string, stem: string): boolean {
  return isFunctionWord(word) || FUNCTIONS.has(stem) || VERBS.has(word) || VERBS.has(stem);
}

/** Length of the Chinese function word that starts at `index`; 0 when there is none. */
export function isGlueCharacter(text: string, index: number): number {
  for (let length = Math.min(LONGEST, text.length - index); length > 0; length -= 1) {
    if (CHINESE_WORDS.has(text.slice(index, index + length))) return length;
  }
  return 0;
}
