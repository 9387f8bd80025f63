import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import type { Suite } from "../../domain/suite.ts";
import type { Variant } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import { evaluate, type Evaluation } from "../../pipeline.ts";
import { adjustForMany, matrixOf } from "../../report/benchmark/many.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { holdToKnownGood } from "../../operations/bench/known-good-gate.ts";
import { matrixText } from "../render/matrix.ts";
import { olderVersions, type OlderVersions } from "../../operations/bench/older-version.ts";
import {
  asBenchOptions,
  type BenchFlags,
  DEFAULT_RUNS,
  defineBenchOptions,
  evaluationOptions,
  explainRunOptions,
  readBenchFlags,
} from "../options/bench.ts";
import { reusableBaselines } from "../../operations/bench/reusable-runs.ts";
import { benchRounds } from "../../operations/bench/rounds.ts";
import type { CliCommand } from "../command.ts";
import { withLoad } from "../../operations/grade/with-load.ts";
import { interruptible } from "../interrupt.ts";
import { defineTargets, strictOption } from "../options/targets.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { judgeNote } from "../../engine/models/judge-ahead.ts";
import { defineModelOptions } from "../options/models.ts";
import { exitCodeOf } from "../exit-code.ts";
import { defineRunOptions, readRunOptions } from "../options/run.ts";
import { makeReporters } from "../reporters.ts";
import { MachineStages, type StagesInput } from "../../iteration/iterate.ts";
import { openModels } from "../../engine/models/open-models.ts";

/** Does the skill help, and how sure are we: the same cases with it and without, or in two versions. */
export const command: CliCommand = {
  define(definition) {
    defineTargets(definition);
    defineBenchOptions(definition);
    defineRunOptions(definition);
    defineModelOptions(definition);
    defineCassetteOptions(definition);
    explainRunOptions(definition);
    definition.addOption(strictOption()).addHelpText("after", HELP);
  },
  async run({ args, options: raw, terminal }) {
    const [targets] = args as [string[]];
    const flags = readBenchFlags(raw);
    const asked = await readRunOptions(raw, terminal);
    const options = asBenchOptions(asked, raw);
    await using models = await openModels(raw, terminal, { file: "budget.json", resume: options.resume });
    const { services, cassettes, find, mask } = models;
    await using older = flags.against === null ? NO_VERSIONS : olderVersions(flags.against, terminal);
    const reporter = makeReporters(options.reporters, terminal);
    const reports: IterationReport[] = [];
    const evaluation = evaluationOptions(flags, asked, options.runs);
    const input = (variants: readonly Variant[], runs: number | null): StagesInput => ({
      targets,
      raw,
      options: { ...options, runs },
      variants,
      defaultRuns: { task: evaluation.aa ? 2 * DEFAULT_RUNS : DEFAULT_RUNS, trigger: DEFAULT_RUNS },
      terminal,
      reporter: { ...reporter, finish: (some) => void reports.push(...some) },
      mask,
      grade: options.grade ? models.grade : null,
      connect: services.connect,
      hidden: cassettes === null ? [] : [cassettes.folder],
      bench: {
        group,
        options: {
          ...evaluation,
          adaptive: evaluation.adaptive && { ...evaluation.adaptive },
          against: flags.against,
        },
        olderVersion: older.find,
        reuse: flags.reuse ? reusableBaselines : null,
        rounds: evaluation.adaptive === null ? null : benchRounds(evaluation.adaptive),
      },
    });
    const group = `bench-${randomBytes(6).toString("hex")}`;
    let said: string | null = null;
    const told = (suites: readonly Suite[]): void => {
      const note = options.grade ? judgeNote(suites, find) : null;
      if (note !== null && note !== said) terminal.err(`note: ${note}\n`);
      said = note;
    };
    return await interruptible(terminal, async (signal) => {
      let ended: Evaluation["ended"] = "complete";
      for (const { variants, runs } of armsOf(flags, options.runs)) {
        if (ended !== "complete") break;
        ({ ended } = await evaluateArms(input(variants, runs), signal, told));
      }
      const home = terminal.env["HOME"] ?? homedir();
      const held = await holdToKnownGood(adjustForMany(reports), {
        flags,
        keep: flags.updateBaseline && ended === "complete",
        folderOf: (skill) => findProjectRoot(skill ?? terminal.cwd, home) ?? terminal.cwd,
        note: (text) => terminal.err(`note: ${text}\n`),
      });
      await reporter.finish(held);
      if (options.reporters.includes("terminal"))
        terminal.out(matrixText(matrixOf(held.map(({ summary }) => summary))));
      return exitCodeOf({ reports: held, ended });
    });
  },
};

const HELP = `
Runs every task case in two arms, interleaved, and compares them case by case: a sign-flip test over cases, with the interval
of the lift, and with what would have been seen. Exit codes: 1 only when the skill makes things worse, or a gate that you
declared is missed (--min-pass-rate, thresholds of the eval file, the last known good); 3 when runs had to be left out.

Examples:
  assay bench skills/pdf
  assay bench skills/pdf --against main --reliable
  assay bench skills/pdf --model a,b --harness claude-code,codex
  assay bench skills/pdf --aa`;

const NO_VERSIONS: Omit<OlderVersions, "find"> & { readonly find: () => Promise<null> } = {
  find: async () => null,
  [Symbol.asyncDispose]: async () => {},
};

/** One iteration each: arms that are compared run side by side, the text in the prompt by itself. */
function armsOf({ aa, against, inline }: BenchFlags, runs: number | null) {
  const pair: readonly Variant[] =
    against === null ? ["with_skill", "without_skill"] : ["new_skill", "old_skill"];
  const main = aa
    ? { variants: ["with_skill"] as const, runs: runs === null ? null : 2 * runs }
    : { variants: pair, runs };
  return inline ? [main, { variants: ["inline"] as const, runs }] : [main];
}

async function evaluateArms(
  input: StagesInput,
  signal: AbortSignal,
  loaded: (suites: readonly Suite[]) => void,
): Promise<Evaluation> {
  await using stages = new MachineStages(input);
  const load = async () => {
    const suites = requireSkills(await stages.load());
    loaded(suites);
    return suites;
  };
  return await evaluate(withLoad(stages, load), signal);
}

function requireSkills(suites: readonly Suite[]): readonly Suite[] {
  const bare = suites.find((suite) => suite.skill === null);
  if (bare === undefined) return suites;
  throw new UserError("bench/no-skill", `${bare.name} names no skill, so there is only one arm`, {
    hint: "--skill PATH says which skill the evals are about",
  });
}
