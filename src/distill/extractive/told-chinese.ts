/** Chinese procedures told as a list: 步骤如下：甲，乙，丙。 流程是：开账号、装证书、拉代码。 */
import { simplified } from "../../memory/language/han.ts";
import { maskClosed, type Piece } from "./sentence.ts";

/** Below three steps it is an instruction, not a procedure. */
const STEPS = 3;

/** Says that steps follow; the match ends where they start. */
const TELLS =
  /(?:流程|步骤|顺序|规程|清单|手顺|套路|操作|工序|动作|打法|环节)[^，。；：:]{0,12}(?:[：:]|(?:是|为|如下)[：:，]?)|(?:我|以后|每次)[^。；：:]{0,4}说[^。；：:]{1,24}(?:[：:]|就是(?!因)(?:让你|要你)?)|(?:(?:照|按)着?(?:这|以下|下面)|这么|这样)[^，。；：:]{0,8}[：:]|(?:如下|这套|这几步|这一套)[：:]|(?:路子|怎么[^，。；？]{1,8})[^，。；]{0,8}(?:。|：|，)|(?:说说|讲讲|说一遍|讲一遍)[。：]/;
/** Meant for once, or told of the past. */
const ONCE = /今天|这次|这一次|刚才|刚刚|昨天|帮我|[?？]\s*$|(?:吗|呢)[。]?$/;
const STEP =
  /^(?:第[一二三四五六七八九十\d]+步|[一二三四五六七八九十]、|[一二三四五六七八九十]是|[①-⑩]|首先|先|然后|再|接着|随后|最后)/;
/** The last step hangs on somebody: 老周点头了才能推全量. */
const GATE =
  /^(?:只有|必须|要|得|须|等)?[^，。；]{1,16}(?:点头|同意|批准|确认|签字|放行|审批|批了)[^，。；]{0,4}(?:才|再|后|方)/;

const unitsOf = (text: string) =>
  maskClosed(text)
    .split(/[，、；。,;→]|->/)
    .filter((unit) => unit.trim().length > 1);

function stepsAfter(text: string): number {
  const head = TELLS.exec(maskClosed(text));
  return head === null ? -1 : unitsOf(text.slice(head.index + head[0].length)).length;
}

/** The pieces of a told list, the announcement first; null when there is none. */
export function chineseProcedure(pieces: readonly Piece[]): Piece[] | null {
  for (const [i, piece] of pieces.entries()) {
    const text = simplified(piece.text);
    let steps = piece.numbered || ONCE.test(text) ? -1 : stepsAfter(text);
    if (steps < 0) continue;
    let to = i + 1;
    for (let next = pieces[to]; next !== undefined; next = pieces[to]) {
      const words = simplified(next.text);
      if (
        !next.joined &&
        !STEP.test(words) &&
        !(steps === 0 && /先|第一/.test(words)) &&
        !(steps >= STEPS && GATE.test(words))
      )
        break;
      steps += unitsOf(words).length;
      to += 1;
    }
    if (steps >= STEPS) return pieces.slice(i, to);
  }
  return null;
}
