import { nearest } from "../../lib/nearest.ts";

/** The names that Claude Code has for models, beside those of the service. */
const CLAUDE_ALIASES = ["default", "best", "sonnet", "opus", "haiku", "opusplan"];

/** A client's own name for a model: `known` to us, or `possible`, since clients invent new ones; null: it is the service's. */
export function aliasOf(client: "claude" | "codex", model: string): "known" | "possible" | null {
  if (client !== "claude") return null;
  const name = withoutContext(model);
  if (CLAUDE_ALIASES.includes(name)) return "known";
  return /^[a-z]+$/.test(name) ? "possible" : null;
}

export function nearestAlias(model: string): string | null {
  return nearest(withoutContext(model), CLAUDE_ALIASES);
}

/** What clouds call models: Bedrock's `us.anthropic.claude-x-v1:0` and ARNs, Vertex's `claude-x@20250929`. No list has them. */
export function isCloudName(model: string): boolean {
  return /^arn:|(?:^|\.)(?:anthropic|amazon|meta|mistral|cohere)\.|@/.test(model);
}

/** Does one of the names that a service lists stand for this model? A name without its date stands for any date. */
export function isListed(model: string, listed: readonly string[]): boolean {
  const wanted = withoutContext(model);
  return listed.some((one) => one === wanted || undated(one) === wanted || one === `${wanted}:latest`);
}

/** A list with patterns in it, as proxies have, does not name every model. */
export function isWholeList(listed: readonly string[]): boolean {
  return listed.length > 0 && listed.every((one) => !one.includes("*"));
}

/** Claude Code adds the length of the context to a name: `sonnet[1m]`. */
function withoutContext(model: string): string {
  return model.replace(/\[[^\]]*\]$/, "");
}

function undated(model: string): string {
  return model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
}
