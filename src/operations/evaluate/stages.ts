import type { Grading } from "../../domain/grading.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Plan, Trial, Variant } from "../../domain/trial.ts";
import type { CassetteHeader } from "../../gateway/cassette/cassette.ts";
import type { Subject } from "../../grade/subject.ts";
import type { ReuseRun } from "../../iteration/reuse-run.ts";
import { workThrough } from "../../iteration/work.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { slots } from "../../lib/slots.ts";
import type { Stages, Worked } from "../../pipeline.ts";
import { selectCases, selectionPerSuite } from "../../plan/select.ts";
import type { Reporter } from "../../report/reporter.ts";
import { defaultConcurrency, local, machineCapacity } from "../../run/executors/local.ts";
import { openIteration } from "../../store/iteration.ts";
import { type IterationFolder, projectFolder, type SuiteFolder } from "../../store/layout.ts";
import { writeManifest } from "../../store/manifest.ts";
import type { Services } from "../../engine/models/services.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { type Rounds, triggerRounds } from "./adaptive.ts";
import { cassetteHeader } from "./cassette-header.ts";
import { askForScripts } from "../../engine/consent.ts";
import { keepSkill } from "./keep-skill.ts";
import { loadSuites } from "./load.ts";
import { manifestOf } from "./manifest.ts";
import type { RunOptions } from "../../cli/options/run.ts";
import { type Planned, Planner } from "./planner.ts";
import { chooseIteration } from "./results.ts";
import { summarizeIteration } from "./summarize.ts";
import { probeOf, trialOptions } from "./trial-options.ts";

export interface StagesInput {
  readonly targets: readonly string[];
  readonly raw: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  readonly variants: readonly Variant[];
  readonly defaultRuns: { readonly task: number; readonly trigger: number };
  readonly terminal: Terminal;
  readonly reporter: Required<Reporter>;
  readonly mask: SecretMask;
  readonly grade: ((subject: Subject, signal: AbortSignal) => Promise<Grading>) | null;
  readonly connect: Services["connect"];
  /** Who judges a suite and by which prices; for the manifest. */
  readonly graded?: (suite: Suite) => Pick<Iteration, "judge" | "prices">;
  /** Absolute paths that no agent may see, beside evals and results. */
  readonly hidden?: readonly string[];
  /** Absent: no arms are compared. */
  readonly bench?: BenchSetup;
  /** The project's own skill, where the suites run a version of it that lies elsewhere. */
  readonly own?: Skill;
}

/** What a benchmark asks of the stages beyond its arms. */
interface BenchSetup {
  /** Joins the iterations of one benchmark. */
  readonly group: string;
  /** How the arms will be compared; kept in the manifest. */
  readonly options: JsonObject;
  /** The version that `old_skill` installs; null where there is none. */
  readonly olderVersion: (skill: Skill) => Promise<Skill | null>;
  /** Where the skill lies for people, if the version under test was fetched to another place. */
  readonly skillPath?: string;
  /** A run of an earlier iteration that nothing has changed for. */
  readonly reuse: ((suite: SuiteFolder, current: number) => Promise<ReuseRun>) | null;
  /** Null: all repetitions are planned from the start. */
  readonly rounds: Rounds | null;
}

interface Round {
  readonly suite: Suite;
  readonly planned: Planned;
  readonly manifest: Iteration;
  readonly folder: IterationFolder;
}

/** Trials that are made ready or captured while others have the agents' slots: as many as may end at once, in reason. */
const MOST_AHEAD = 8;

/** The five stages on this machine; disposing of them removes every workspace. */
export class MachineStages implements Stages, AsyncDisposable {
  readonly report: Required<Reporter>;
  readonly #input: StagesInput;
  readonly #concurrency: number;
  readonly #planner: Planner;
  readonly #planned = new Map<Plan, Planned>();
  readonly #rounds: Rounds | null;

  constructor(input: StagesInput) {
    this.#input = input;
    this.report = input.reporter;
    this.#concurrency = input.options.concurrency ?? defaultConcurrency(machineCapacity());
    this.#planner = new Planner(input, {
      concurrency: this.#concurrency,
      slot: slots(this.#concurrency),
    });
    this.#rounds = roundsOf(input);
  }

  readonly load = async (): Promise<readonly Suite[]> => {
    const { targets, raw, terminal, options } = this.#input;
    const suites = await loadSuites(targets, raw, { terminal, changed: options.changed });
    const selectionOf = selectionPerSuite(suites, options.selection);
    this.#planner.selectionOf = selectionOf;
    await askForScripts(
      suites.flatMap((suite) => selectCases(suite.cases, selectionOf(suite))),
      { trust: options.trust, terminal },
    );
    return Promise.all(suites.map((suite) => this.#planner.withProbes(suite)));
  };

  readonly plan = async (suite: Suite): Promise<readonly Plan[]> => {
    const planned = await this.#planner.plan(suite, this.#rounds?.first(suite));
    for (const one of planned) this.#planned.set(one.plan, one);
    return planned.map(({ plan }) => plan);
  };

  readonly runAndGrade = async (suite: Suite, plan: Plan, signal: AbortSignal): Promise<Worked> => {
    const planned = this.#planned.get(plan);
    if (planned === undefined) throw new Error("the plan was made by other stages");
    const { options, terminal, mask, bench, variants } = this.#input;
    const { ground, results } = planned;
    const { against = null, version = null } = bench?.options ?? {};
    const compared = bench === undefined ? null : { arms: variants, against, version };
    const skillPath = this.#input.own?.root ?? bench?.skillPath ?? suite.skill?.root ?? null;
    const wanted = { ...plan, skillPath, compared };
    const { folder, number, note } = await chooseIteration(results, wanted, options.resume);
    if (note !== null) terminal.err(`note: ${note}\n`);
    const { client } = ground.parts;
    const manifest = await manifestOf(
      { suite, plan, client, options },
      {
        number,
        now: ground.parts.now(),
        group: bench?.group ?? null,
        graded: this.#input.graded?.(suite) ?? { judge: null, prices: null },
        ...(bench && { bench: { ...bench.options, arms: variants } }),
        ...(bench?.skillPath !== undefined && { skillPath: bench.skillPath }),
      },
    );
    await writeManifest(folder.manifest, manifest, mask);
    if (suite.skill !== null && manifest.skill !== null)
      await keepSkill(
        suite.skill,
        projectFolder(results).suite(suite.name).skill(manifest.skill.sha256),
        mask,
      );
    for (let round = planned; ;) {
      const ended = await this.#work({ suite, planned: round, manifest, folder }, signal);
      const runsOf = ended === "complete" ? await this.#rounds?.next(folder, round.plan) : null;
      if (!runsOf) return { folder: folder.root, ended };
      round = await this.#planner.again(suite, round, runsOf);
    }
  };

  readonly summarize = (worked: Worked) =>
    summarizeIteration(worked, { ...this.#input.options, mask: this.#input.mask });

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#planner[Symbol.asyncDispose]();
  }

  async #work({ suite, planned, manifest, folder }: Round, signal: AbortSignal): Promise<Worked["ended"]> {
    const { options, mask, reporter, grade, bench, connect } = this.#input;
    const { plan, ground, results } = planned;
    const reuse = await bench?.reuse?.(projectFolder(results).suite(suite.name), manifest.number);
    const older = await this.#planner.olderVersion(suite);
    await using iteration = await openIteration(folder, mask);
    return await workThrough(
      {
        manifest,
        suite,
        plan,
        iteration,
        trial: ground.parts,
        executor: local({ concurrency: this.#concurrency + Math.min(this.#concurrency, MOST_AHEAD) }),
        mask,
        grade,
        ...(reuse && { reuse }),
        optionsFor: (one, trial) => ({
          ...trialOptions(one, plan.model, options, probeOf(suite, one, trial)),
          ...(older !== null && trial.variant === "old_skill" && { skill: older, skillName: older.name }),
        }),
        connect: (trial) =>
          connect(trial, { model: plan.model, header: () => headerOf(suite, planned, trial) }),
        listen: (event) => reporter.event(event),
        retries: { attempts: 3, waitMs: (attempt) => 1000 * 2 ** attempt },
        now: ground.parts.now,
      },
      signal,
    );
  }
}

function headerOf(suite: Suite, { plan, determinants, ground }: Planned, trial: Trial): CassetteHeader {
  const one = suite.cases.find((candidate) => candidate.id === trial.caseId);
  if (one === undefined) throw new Error(`the plan has a trial of an unknown case: ${trial.id}`);
  return cassetteHeader(trial, one, { plan, determinants, client: ground.parts.client });
}

function roundsOf({ bench, options, defaultRuns }: StagesInput): Rounds | null {
  if (bench !== undefined) return bench.rounds;
  return options.adaptive
    ? triggerRounds({ runs: options.runs ?? defaultRuns.trigger, threshold: options.triggerThreshold })
    : null;
}
