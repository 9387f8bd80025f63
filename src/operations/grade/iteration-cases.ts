import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Machine } from "../../machine.ts";
import type { FoundIteration } from "../find-run.ts";
import { type ChecksAsked, currentCases } from "./current-cases.ts";

/** The cases of an iteration that are asked for, with the checks to hold them to. Notes what became of them since. */
export async function casesToGrade(
  { state }: FoundIteration,
  options: ChecksAsked & { readonly cases: readonly string[] },
  machine: Machine,
): Promise<readonly Case[]> {
  const { iteration } = state;
  if (iteration === null) throw new Error("an iteration was found without its start");
  const planned = state.cases.map((one) => state.casesAsRun.get(one.id) ?? one);
  const { cases, notes } = await currentCases(planned, iteration, options, machine);
  for (const note of notes) machine.note(note);
  return named(cases, options.cases);
}

/** Those of these ids, else all. */
function named(cases: readonly Case[], ids: readonly string[]): readonly Case[] {
  const wanted = cases.filter(
    ({ id, declaredId }) => ids.length === 0 || ids.includes(id) || ids.includes(String(declaredId)),
  );
  if (wanted.length > 0) return wanted;
  throw new UserError("grade/nothing-selected", `the iteration has no case ${ids.join(", ")}`, {
    hint: `it has ${cases
      .slice(0, 12)
      .map(({ id }) => id)
      .join(", ")}`,
  });
}
