type Env = Readonly<Record<string, string | undefined>>;

/** What coding agents set for the programs that they call. */
const AGENTS = [
  "AI_AGENT",
  "CLAUDECODE",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "CODEX_THREAD_ID",
  "COPILOT_CLI",
  "OPENCODE",
];

/** Does a coding agent read along? It pays for every word, and nothing moves for it. */
export function isAgentReading(env: Env): boolean {
  return AGENTS.some((name) => isSet(env[name]));
}

/** Color for a terminal, unless the user decides: FORCE_COLOR before NO_COLOR. */
export function hasColor(env: Env, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return isSet(forced) || forced === "";
  return isTerminal && !isSet(env["NO_COLOR"]) && env["TERM"] !== "dumb" && !isAgentReading(env);
}

/** Can lines be drawn again and again? Logs of CI services keep every one of them. */
export function isWatched(env: Env, isTerminal: boolean): boolean {
  return isTerminal && env["TERM"] !== "dumb" && !isSet(env["CI"]) && !isAgentReading(env);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
