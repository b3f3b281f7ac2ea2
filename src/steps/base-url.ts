/** The endpoint that is asked: configuration, environment, Anthropic's own. */
import { MemdError } from "../base/errors.ts";
import type { Context } from "../commands/context.ts";
import type { Config } from "../config/config.ts";

type Place = Pick<Context, "env">;

export function baseUrlOf({ env }: Place, { model }: Pick<Config, "model">): string {
  return model.baseUrl ?? (env["ANTHROPIC_BASE_URL"] || "https://api.anthropic.com");
}

/** @throws MemdError misconfigured `bad-base-url`; the address is not quoted, for it may hold a password */
export function usableBaseUrl(place: Place, config: Pick<Config, "model">): string {
  const url = baseUrlOf(place, config);
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  throw new MemdError({
    code: "bad-base-url",
    family: "misconfigured",
    message: "the model's endpoint is not an http or https address",
    hint: "Mend model.baseUrl, or ANTHROPIC_BASE_URL; for example https://api.anthropic.com or http://127.0.0.1:11434.",
  });
}
