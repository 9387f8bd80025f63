import { dirname, relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { flipsBetween } from "../../compare/flips.ts";
import { lookOf } from "../../report/benchmark/look-of.ts";
import { lookText } from "../../report/benchmark/lift-text.ts";
import { alphaAtLook } from "../../stats/looks.ts";
import { suiteFolder } from "../../store/layout.ts";
import type { IterationArm } from "./arm.ts";
import type { CompareCall } from "./call.ts";
import { requireComparable } from "./comparable.ts";
import type { ComparedSides } from "./compared-sides.ts";
import { armPairs, uncomparedCases } from "./pairs.ts";
import { placeOf } from "./place.ts";
import { skillOfArm } from "./skill-text.ts";

/** The runs of two variants, case by case. */
export async function armSides(
  first: IterationArm,
  second: IterationArm,
  { call, versions }: { call: CompareCall; versions: ComparedSides["versions"] },
): Promise<ComparedSides> {
  const { cases, cross, pairs: perCase, flips: flipsOnly } = call.settled;
  const { results } = call.run.request;
  const notes = requireComparable(first, second, cross);
  requireCases(cases, first, second);
  const isWanted = (caseId: string) => cases.length === 0 || cases.includes(caseId);
  const uncompared = uncomparedCases(first, second).filter(({ caseId }) => isWanted(caseId));
  const look = lookAt(first, second);
  const alpha = alphaAtLook(look);
  const { flips, together } = flipsBetween(first, second, {
    isWanted: (caseId) => isWanted(caseId) && !uncompared.some((one) => one.caseId === caseId),
    alpha,
  });
  const pairs = flipsOnly ? [] : await armPairs(first, second, { cases, perCase: perCase ?? Infinity });
  const ofBoth = suiteFolder(dirname(second.folder.root)).comparison(second.number, first.number);
  const apart = first.number === second.number || dirname(first.folder.root) !== dirname(second.folder.root);
  const folder = apart
    ? placeOf(
        results,
        [first, second].map((arm) => `${relative(results, arm.folder.root)}:${arm.variant}`),
      )
    : ofBoth;
  const skills = { first: await skillOfArm(first), second: await skillOfArm(second) };
  const missing = uncompared.map(
    ({ caseId, side, why }) => `case ${caseId} is not compared: no run of ${versions[side]} counts (${why})`,
  );
  const again = look === 1 ? [] : [`this is ${lookText(look, alpha)}`];
  const all = [...notes, ...again, ...changedCases(first, second), ...missing];
  return { versions, flips, together, pairs, alpha, skills, folder, notes: all, uncompared };
}

/** Of versions that were run side by side, and then more often. */
function lookAt(first: IterationArm, { folder, state }: IterationArm): number {
  const isOneIteration = first.folder.root === folder.root && state.iteration !== null;
  return isOneIteration ? lookOf({ ...state, iteration: state.iteration }) : 1;
}

/** Names what was not run on both sides, before anything is asked. */
function requireCases(wanted: readonly string[], first: IterationArm, second: IterationArm): void {
  const before = new Set(first.state.cases.map(({ id }) => id));
  const both = second.state.cases.filter(({ id }) => before.has(id));
  const missing = wanted.filter((id) => !both.some((one) => one.id === id));
  if (missing.length === 0) return;
  const ids = both.map(({ id, name }) => (name === null ? id : `${id} (${name})`));
  throw new UserError("compare/no-case", `both must have the case ${missing.join(", ")}`, {
    hint: `--case takes ids; both have ${ids.slice(0, 20).join(", ")}${ids.length > 20 ? " and more" : ""}`,
  });
}

function changedCases(first: IterationArm, second: IterationArm): readonly string[] {
  return second.state.cases.flatMap((now) => {
    const before = first.state.cases.find(({ id }) => id === now.id);
    if (before === undefined || JSON.stringify(before.prompt) === JSON.stringify(now.prompt)) return [];
    return [`the prompt of case ${now.id} has changed between the two`];
  });
}
