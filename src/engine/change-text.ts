import type { Change } from "../domain/change.ts";
import { shownPath } from "../lib/shown-path.ts";
import { AGENT, RUNNING } from "../options/run.ts";

/** What changed since a run was made, in a few words. */
export function changesText(changes: readonly Change[], cwd: string): string {
  const texts = [...new Set(changes.map((change) => changeText(change, cwd)))];
  return listText(texts, "; ");
}

function changeText(change: Change, cwd: string): string {
  switch (change.kind) {
    case "client":
      return clientText(change);
    case "option":
      if (change.name === "program") return "the program of --command changed";
      return `option ${flagOf(change.name)} changed`;
    case "project":
      return change.files === null || change.files.length === 0
        ? "project files changed"
        : `project files changed: ${listText(change.files)}`;
    case "skill":
      return change.part === "description" || change.part === "frontmatter"
        ? `${change.part} in ${change.path} changed`
        : `${change.path} changed`;
    case "case":
      return `${shownPath(change.file, cwd)}: ${change.part} of case ${change.caseId} changed`;
    case "probe":
      return "the files staged for trigger queries changed";
    case "unknown":
      return "something it depends on changed";
  }
}

function clientText({ from, to }: Extract<Change, { kind: "client" }>): string {
  const whole = (client: typeof from) =>
    client === null
      ? "unknown"
      : [client.name, ...(client.version === null ? [] : [client.version])].join(" ");
  const isSame = from !== null && from.name === to?.name;
  return `agent ${whole(from)} -> ${isSame ? (to.version ?? "unknown version") : whole(to)}`;
}

function flagOf(name: string): string {
  const rows: Readonly<Record<string, { readonly flag: string | null }>> = {
    ...RUNNING,
    ...AGENT,
    mcpServers: AGENT.mcp,
  };
  return rows[name]?.flag?.split(" ")[0] ?? name;
}

/** `a`, `a; b`, `a and 3 more`. */
export function listText(texts: readonly string[], between = ", "): string {
  if (texts.length <= MOST) return texts.join(between);
  return `${texts[0]} and ${texts.length - 1} more`;
}

const MOST = 2;
