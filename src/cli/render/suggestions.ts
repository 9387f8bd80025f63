import { plural, printable, usageText } from "../../operations/text.ts";
import type { Suggestions } from "../../operations/suggest.ts";
import type { Terminal } from "../terminal.ts";

interface Print {
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** What failed and what to do about it goes to stderr, the diff or all of it as JSON to stdout. */
export function suggestionsReport(suggestions: Suggestions, { json, terminal }: Print): void {
  switch (suggestions.status) {
    case "nothing-failing":
      return nothingFailing(suggestions, { json, terminal });
    case "unanswered":
      terminal.err(`error: no edits were proposed: ${printable(suggestions.reason)}\n`);
      return terminal.err(`asked: ${usageText(suggestions.usage)}\n`);
    case "suggested":
      return suggested(suggestions, { json, terminal });
  }
}

function nothingFailing(
  { iteration, passed, unscored }: Suggestions & { status: "nothing-failing" },
  { json, terminal }: Print,
): void {
  const rest = unscored === 0 ? "" : `; ${plural(unscored, "check")} could not be decided`;
  if (json) terminal.out(`${JSON.stringify({ failing: [], edits: [], diff: "" }, null, 2)}\n`);
  terminal.err(
    `nothing failed in ${iteration}: ${plural(passed, "check")} passed${rest}. No model was asked.\n`,
  );
}

function suggested(suggestions: Suggestions & { status: "suggested" }, { json, terminal }: Print): void {
  const { failing, iteration, summary, edits, dropped, usage, change } = suggestions;
  for (const { number, why } of dropped)
    terminal.err(`note: edit ${number} was dropped: ${printable(why)}\n`);
  if (json) terminal.out(`${JSON.stringify(jsonOf(suggestions), null, 2)}\n`);
  else {
    terminal.err(`${plural(failing.length, "failing check")} in ${iteration}: ${printable(summary)}\n`);
    for (const { rationale, motivatedBy } of edits)
      terminal.err(`- ${printable(rationale)} [${printable(motivatedBy.join(", "))}]\n`);
    terminal.out(printable(change.diff));
  }
  if (edits.length === 0) terminal.err("no edit is left that could be made\n");
  terminal.err(`asked: ${usageText(usage)}\n`);
}

function jsonOf(suggestions: Suggestions & { status: "suggested" }) {
  const { skillName, iteration, summary, failing, edits, dropped, change } = suggestions;
  return {
    skill_name: skillName,
    iteration,
    summary,
    failing: failing.map(({ id, text }) => ({ id, text })),
    edits: edits.map(({ file, anchor, replacement, rationale, motivatedBy }) => ({
      ...(file !== undefined && { file }),
      anchor,
      replacement,
      rationale,
      motivated_by: motivatedBy,
    })),
    dropped: dropped.map(({ number, why }) => ({ number, why })),
    diff: change.diff,
  };
}
