import { plural, printable } from "../../operations/text.ts";
import type { ControlledCheck, Controls } from "../../operations/controls.ts";

/** What the controls showed, worst first. */
export function controlsText(controls: Controls): string {
  const { passOnNothing, cannotFail, guards, undecided, failOnReference, notInReference, notRun } = controls;
  const lines = [
    ...passOnNothing.map(({ suite, caseId }) => `x ${suite} ${caseId}: passes on an empty run`),
    ...listed("these checks cannot fail: they pass on an empty run", cannotFail),
    ...listed("these checks fail on the reference answer", failOnReference),
    ...listed("these checks could not be decided, so it is unknown whether they can fail", undecided),
    ...(notRun.length === 0 ? [] : ["could not be run:"]),
    ...notRun.map(({ caseId, why }) => `  ? ${caseId}: ${why}`),
    `${plural(controls.checks, "check")} of ${plural(controls.cases, "case")} tried: ${controls.failOnNothing} failed on an empty run, as they should; ${plural(controls.references, "reference answer")} tried`,
    ...(guards.length === 0
      ? []
      : [
          `${plural(guards.length, "check")} only forbid something, so they pass on an empty run: ${ids(guards)}`,
        ]),
    ...(notInReference.length === 0
      ? []
      : [
          `${plural(notInReference.length, "check")} ask what the agent does, which a reference answer cannot show: ${ids(notInReference)}`,
        ]),
    ...(controls.judged ? [] : ["no judge is configured, so only checks that code decides were tried"]),
  ];
  return printable(`${lines.join("\n")}\n`);
}

function listed(title: string, checks: readonly ControlledCheck[]): string[] {
  if (checks.length === 0) return [];
  return [
    `${title}:`,
    ...checks.map(
      ({ suite, caseId, checkId, text, why }) =>
        `  x ${suite} ${caseId} ${checkId}: ${text.replaceAll("\n", " ")}${why === "" ? "" : ` (${why.replaceAll("\n", " ")})`}`,
    ),
  ];
}

function ids(checks: readonly ControlledCheck[]): string {
  return checks.map(({ caseId, checkId }) => `${caseId} ${checkId}`).join(", ");
}
