import { money, plural, printable, thousands, usageText } from "../../operations/text.ts";
import { relative } from "node:path";
import type { EvalsProposed, ProposeEvent } from "../../operations/propose.ts";
import type { Terminal } from "../terminal.ts";

export function proposeEventText({ model, inputTokens, outputTokens, costUsd }: ProposeEvent): string {
  const most = costUsd === null ? "at an unknown price" : `at most ${money(costUsd)}`;
  return `asking ${model} once, twice at most: about ${thousands(inputTokens)} tokens in, up to ${thousands(outputTokens)} out, ${most} a time\n`;
}

/** What was proposed goes to stderr, the paths of the files to stdout, one on a line. */
export function proposedEvalsReport(proposed: EvalsProposed, terminal: Terminal): void {
  terminal.err(`asked: ${usageText(proposed.usage)}\n`);
  switch (proposed.status) {
    case "unanswered":
      return terminal.err(
        `error: no evals were proposed: ${printable(proposed.reason)}\nnothing was written\n`,
      );
    case "invalid": {
      const listed = proposed.problems.map((problem) => `  - ${printable(problem)}\n`).join("");
      return terminal.err(
        `error: what was proposed cannot be loaded, even on the second try:\n${listed}nothing was written\n`,
      );
    }
    case "proposed":
      return written(proposed, terminal);
  }
}

function written(
  { cases, dropped, to, losses, written: paths, refusal }: EvalsProposed & { status: "proposed" },
  { out, err, cwd }: Terminal,
): void {
  for (const { caseId, check } of dropped)
    err(
      `note: dropped from ${printable(caseId)}, because it passes on an empty run: ${printable(check.text)}\n`,
    );
  for (const loss of losses) err(`note: ${to} cannot express: ${printable(loss)}\n`);
  for (const path of paths) out(`${printable(relative(cwd, path))}\n`);
  if (refusal !== null) return;
  const tasks = cases.filter(({ kind }) => kind === "task");
  const checks = tasks.reduce((sum, one) => sum + one.checks.length, 0);
  err(
    `${plural(tasks.length, "case")} with ${plural(checks, "check")}, ${plural(cases.length - tasks.length, "trigger")}: read them before you trust them, then assay controls and assay run\n`,
  );
}
