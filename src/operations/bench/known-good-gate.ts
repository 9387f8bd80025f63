import { KNOWN_GOOD_FILE } from "../../domain/known-good-file.ts";
import { dirname, join } from "node:path";
import type { Iteration } from "../../domain/iteration.ts";
import type { Plan } from "../../domain/plan.ts";
import { UserError } from "../../domain/user-error.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import type { Machine } from "../../machine.ts";
import { compareKnownGood } from "../../report/benchmark/against-known-good.ts";
import { type KnownGood, knownGoodOf } from "../../report/benchmark/known-good.ts";
import type { Evaluated } from "../../report/evaluated.ts";
import type { BenchmarkRules } from "../../report/benchmark/options.ts";
import type { GateSource } from "../../report/gates.ts";
import { readIteration } from "../../store/iteration.ts";
import { projectFolder, type SuiteFolder, suiteFolder } from "../../store/layout.ts";
import { entryFor, readKnownGood } from "./known-good-file.ts";
import type { BenchSettled } from "./settings.ts";

type KnownGoodSettled = Pick<BenchSettled, "baselineIteration" | "maxDrop"> &
  Pick<BenchmarkRules, "minEffect">;

/** Holds each benchmark to how the skill did when it was last fine. */
export function knownGoodGates(settled: KnownGoodSettled, machine: Machine): GateSource {
  const { baselineIteration, minEffect, maxDrop } = settled;
  return async (evaluated, root) => {
    if (!isTested(evaluated)) return [];
    const good =
      baselineIteration === null
        ? await fromFile(evaluated.iteration, machine)
        : await fromIteration(suiteFolder(dirname(root)), baselineIteration, evaluated.iteration);
    if (good === null) return [];
    return [compareKnownGood(evaluated, good, { alpha: 0.05, minEffect, maxDrop }).gate];
  };
}

/** Whether it has the skill in an arm that can be compared with an earlier one; the text in the prompt cannot. */
export function isTested({ trials }: Pick<Evaluated, "trials">): boolean {
  return trials.some(({ variant }) => variant === "with_skill" || variant === "new_skill");
}

/** Throws a UserError where there is no such iteration, or it is of another agent: better before anything is paid for. */
export async function requireBaseline(
  plans: readonly Plan[],
  { baselineIteration, results }: { baselineIteration: number | null; results: string },
): Promise<void> {
  if (baselineIteration === null) return;
  for (const { suite, harness, model } of plans) {
    const folder = projectFolder(results).suite(suite.name);
    await fromIteration(folder, baselineIteration, { suite: suite.name, harness, model });
  }
}

/** Where assay-baseline.json lies or would lie. */
export function knownGoodPath({ skill }: Pick<Iteration, "skill">, { cwd, home }: Machine): string {
  return join(findProjectRoot(skill?.path ?? cwd, home) ?? cwd, KNOWN_GOOD_FILE);
}

async function fromFile(iteration: Iteration, machine: Machine): Promise<KnownGood | null> {
  const { suite } = iteration;
  const path = knownGoodPath(iteration, machine);
  const file = await readKnownGood(path);
  const entry = entryFor(file, suite, iteration);
  if (entry === null && (file.skills[suite]?.length ?? 0) > 0)
    machine.note(`${path} has ${suite} only with another agent or model, so nothing is compared`);
  return entry;
}

async function fromIteration(
  folder: SuiteFolder,
  number: number,
  { harness, model, suite }: Pick<Iteration, "harness" | "model" | "suite">,
): Promise<KnownGood> {
  const good = knownGoodOf(await readBaseline(folder, number, suite));
  if (good.harness !== harness || good.model !== model) {
    throw new UserError(
      "bench/other-baseline",
      `iteration-${number} was run with ${good.harness} ${good.model ?? ""}, this one with ${harness} ${model ?? ""}`,
      { hint: "compare like with like: another iteration, or the same --harness and --model" },
    );
  }
  return good;
}

async function readBaseline(folder: SuiteFolder, number: number, suite: string): Promise<Evaluated> {
  const { state } = await readIteration(folder.iteration(number));
  if (state.iteration !== null) return { ...state, iteration: state.iteration };
  throw new UserError("bench/no-baseline", `${suite} has no iteration-${number}`, {
    hint: "assay trend lists the iterations there are",
  });
}
