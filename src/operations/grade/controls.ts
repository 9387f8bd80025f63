import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "../../domain/check.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { evaluate } from "../../pipeline.ts";
import type { IterationReport } from "../../report/reporter.ts";
import type { RunOptions } from "../../cli/options/run.ts";
import { secretsOf } from "../../engine/secrets.ts";
import { MachineStages } from "../../iteration/iterate.ts";
import type { Machine } from "../../machine.ts";
import { type Controls, joinControls, nothingFindings, referenceFindings } from "./control-findings.ts";
import { NOTHING, referenceScript } from "./control-scripts.ts";
import { silentReporter } from "./silent-reporter.ts";
import { readSomeRunOptions } from "./some-run-options.ts";
import { inTempFolder } from "./temp-folder.ts";
import type { Graders } from "./with-grading.ts";
import { withLoad } from "./with-load.ts";

export interface ControlsCall {
  readonly targets: readonly string[];
  readonly raw: Readonly<Record<string, unknown>>;
  readonly graders: Graders;
  readonly machine: Machine;
}

/** Runs the controls through the whole pipeline; they are kept only where `--workspace` says so. */
export async function runControls(
  call: ControlsCall,
  signal: AbortSignal,
): Promise<Controls | "interrupted"> {
  const options = await readSomeRunOptions(call.raw, call.machine);
  return inTempFolder(async (folder) => {
    const around: RunOptions & { readonly script: string } = {
      ...options,
      harnesses: ["scripted"],
      selection: { ...options.selection, mode: "artifact" },
      runs: 1,
      workspace: options.workspace ?? join(folder, "results"),
      script: join(folder, "script.json"),
    };
    const sees = (one: Case) => call.graders.find(one) !== null;
    const { script } = around;
    await writeFile(script, JSON.stringify(NOTHING));
    let judged = true;
    const change = (suites: readonly Suite[]) => {
      judged = suites.every(({ cases }) => cases.every((one) => sees(one) || one.checks.every(isCode)));
      return suites.map((suite) => withDecidable(suite, sees));
    };
    const nothing = await play(call, { options: around, change }, signal);
    if (nothing === "interrupted") return nothing;
    const found: Controls[] = [nothingFindings(nothing, judged)];
    for (const { suite, one } of nothing.flatMap(referenced)) {
      await writeFile(script, JSON.stringify(referenceScript(one)));
      const only = (suites: readonly Suite[]) =>
        change(suites.filter(({ name }) => name === suite)).map((same) => ({
          ...same,
          cases: same.cases.filter(({ id }) => id === one.id),
        }));
      const reports = await play(call, { options: around, change: only }, signal);
      if (reports === "interrupted") return reports;
      found.push(referenceFindings(reports));
    }
    return joinControls(found);
  });
}

/** Only what can be decided here: without a judge, the checks of code. */
function withDecidable(suite: Suite, isJudged: (one: Case) => boolean): Suite {
  const cases = suite.cases.map((one) =>
    isJudged(one) ? one : { ...one, checks: one.checks.filter(isCode) },
  );
  return { ...suite, cases };
}

function isCode({ layer }: Check): boolean {
  return layer === "L1" || layer === "trigger";
}

function referenced({ evaluated }: IterationReport): { suite: string; one: Case }[] {
  const suite = evaluated.iteration.suite;
  return evaluated.cases.filter(({ reference }) => reference !== null).map((one) => ({ suite, one }));
}

async function play(
  { targets, raw, graders, machine }: ControlsCall,
  { options, change }: { options: RunOptions; change: (suites: readonly Suite[]) => readonly Suite[] },
  signal: AbortSignal,
): Promise<readonly IterationReport[] | "interrupted"> {
  await using stages = new MachineStages({
    targets,
    raw,
    options,
    variants: ["with_skill"],
    defaultRuns: { task: 1, trigger: 1 },
    machine,
    reporter: silentReporter,
    mask: secretMask(secretsOf(machine.env)),
    grade: graders.grade,
    connect: () => null,
  });
  const load = async () => change(await stages.load());
  const { reports, ended } = await evaluate(withLoad(stages, load), signal);
  return ended === "interrupted" ? ended : reports;
}
