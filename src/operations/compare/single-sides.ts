import { relative } from "node:path";
import type { IterationArm } from "./arm.ts";
import type { CompareCall } from "./call.ts";
import { requireComparable } from "./comparable.ts";
import type { ComparedSides } from "./compared-sides.ts";
import type { Operand } from "./operand.ts";
import { runPair } from "./pairs.ts";
import { placeOf } from "./place.ts";
import { skillOfArm } from "./skill-text.ts";
import { textPair } from "./text-pair.ts";

type SingleRun = Operand & { readonly kind: "run" };
type SingleText = Operand & { readonly kind: "text" };

/** Two runs of one case. */
export async function runSides(
  first: SingleRun,
  second: SingleRun,
  { settled, run }: CompareCall,
): Promise<ComparedSides> {
  const { results } = run.request;
  const [before, after] = [armOf(first), armOf(second)];
  const notes = requireComparable(before, after, settled.cross, "runs");
  const pair = await runPair(first.run, second.run);
  const pathOf = ({ run: { folder, finished } }: SingleRun) =>
    relative(results, folder.run(finished.folder).root);
  return {
    versions: { first: pair.first.name, second: pair.second.name },
    flips: null,
    together: null,
    pairs: [pair],
    skills: { first: await skillOfArm(before), second: await skillOfArm(after) },
    folder: placeOf(results, [pathOf(first), pathOf(second)]),
    notes,
    uncompared: [],
  };
}

/** Two captured texts. */
export async function textSides(
  first: SingleText,
  second: SingleText,
  call: CompareCall,
): Promise<ComparedSides> {
  const { results } = call.run.request;
  return {
    versions: { first: first.name, second: second.name },
    flips: null,
    together: null,
    pairs: [await textPair({ first, second }, call)],
    skills: { first: null, second: null },
    folder: placeOf(results, [relative(results, first.path), relative(results, second.path)]),
    notes: [],
    uncompared: [],
  };
}

function armOf({ name, run }: SingleRun): IterationArm {
  const { folder, state, finished } = run;
  return { folder, state, name, number: state.iteration?.number ?? 0, variant: finished.trial.variant };
}
