import type { Session, SessionEvent } from "./session.ts";

const SPEAKERS: Readonly<Record<string, "user" | "assistant">> = {
  user: "user",
  human: "user",
  me: "user",
  you: "user",
  assistant: "assistant",
  agent: "assistant",
  claude: "assistant",
  codex: "assistant",
  ai: "assistant",
};

/** A conversation that somebody pasted, with who speaks before each turn: `User: ...`, `## Human`, or `> ...` for the user. */
export function pastedSession(text: string): Session | null {
  const events: SessionEvent[] = [];
  let speaker: "user" | "assistant" | null = null;
  let lines: string[] = [];
  const close = () => {
    const said = lines.join("\n").trim();
    if (speaker !== null && said !== "") events.push({ kind: speaker, text: said });
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", rest = ""] =
      /^\s*(?:#+\s*|\*\*)?([A-Za-z]+)(?:\*\*)?\s*:(?:\*\*)?\s*(.*)$/.exec(line) ??
      /^#+\s*([A-Za-z]+)\s*()$/.exec(line) ??
      [];
    const [, typed] = /^[>❯]\s+(.*)$/.exec(line) ?? [];
    const next = SPEAKERS[name.toLowerCase()];
    if (next !== undefined) {
      close();
      speaker = next;
      lines.push(rest);
    } else if (typed !== undefined) {
      if (speaker !== "user") close();
      speaker = "user";
      lines.push(typed);
    } else if (line.startsWith("●") || line.startsWith("⏺")) {
      close();
      speaker = "assistant";
      lines.push(line.slice(1).trim());
    } else lines.push(line);
  }
  close();
  if (!events.some(({ kind }) => kind === "user")) return null;
  return { client: "transcript", version: null, cwd: null, events, problems: [] };
}
