import type { Grading } from "../../domain/grading.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Plan, Trial, Variant } from "../../domain/trial.ts";
import type { Subject } from "../../grade/subject.ts";
import type { ReuseRun } from "../../iteration/reuse-run.ts";
import type { CassetteHeader } from "../../gateway/cassette/cassette.ts";
import { workThrough } from "../../iteration/work.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { slots } from "../../lib/slots.ts";
import type { Stages, Worked } from "../../pipeline.ts";
import { type Determinants, planTrials } from "../../plan/plan.ts";
import type { Reporter } from "../../report/reporter.ts";
import { defaultConcurrency, local, machineCapacity } from "../../run/executors/local.ts";
import type { ProbeSetup } from "../../run/probe.ts";
import type { TrialParts } from "../../run/trial.ts";
import { openIteration } from "../../store/iteration.ts";
import { type IterationFolder, projectFolder, type SuiteFolder } from "../../store/layout.ts";
import { writeManifest } from "../../store/manifest.ts";
import { prepareTriggers } from "../../triggers/prepare.ts";
import type { Services } from "../models/services.ts";
import type { Terminal } from "../terminal.ts";
import { type Rounds, triggerRounds } from "./adaptive.ts";
import { cassetteHeader } from "./cassette-header.ts";
import { askForScripts } from "./consent.ts";
import { determinantsOf } from "./determinants.ts";
import { type Ground, prepareGround, projectRootOf } from "./ground.ts";
import { harnessNames, makeHarness } from "./harness.ts";
import { readHistory } from "./history.ts";
import { keepSkill } from "./keep-skill.ts";
import { loadSuites } from "./load.ts";
import { manifestOf } from "./manifest.ts";
import type { RunOptions } from "./options.ts";
import { otherSkillsFinder } from "./project-skills.ts";
import { chooseIteration, resultsRoot } from "./results.ts";
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
  /** A run of an earlier iteration that nothing has changed for. */
  readonly reuse: ((suite: SuiteFolder, current: number) => Promise<ReuseRun>) | null;
  /** Null: all repetitions are planned from the start. */
  readonly rounds: Rounds | null;
}

interface PlanAround {
  readonly ground: Ground;
  readonly model: string | null;
  readonly results: string;
  readonly runsOf?: ReadonlyMap<string, number>;
}

interface Round {
  readonly suite: Suite;
  readonly plan: Plan;
  readonly manifest: Iteration;
  readonly folder: IterationFolder;
  readonly ground: Ground;
  readonly results: string;
}

/** Trials that are staged or captured while others have the agents' places. */
const STAGED_AHEAD = 4;

/** The five stages on this machine; disposing of them removes every workspace. */
export class MachineStages implements Stages, AsyncDisposable {
  readonly report: Required<Reporter>;
  readonly #input: StagesInput;
  readonly #concurrency: number;
  readonly #slot: TrialParts["slot"];
  readonly #otherSkills: ReturnType<typeof otherSkillsFinder>;
  readonly #prepared = new Map<Plan, { ground: Ground; results: string }>();
  readonly #determinants = new Map<Plan, Determinants>();
  readonly #older = new Map<string, Skill | null>();
  readonly #rounds: Rounds | null;

  constructor(input: StagesInput) {
    this.#input = input;
    this.report = input.reporter;
    this.#otherSkills = otherSkillsFinder(input.terminal.env["HOME"] ?? null);
    this.#concurrency = input.options.concurrency ?? defaultConcurrency(machineCapacity());
    this.#slot = slots(this.#concurrency);
    this.#rounds = roundsOf(input);
  }

  readonly load = async (): Promise<readonly Suite[]> => {
    const { targets, raw, terminal, options } = this.#input;
    const suites = await loadSuites(targets, raw, { terminal, changed: options.changed });
    await askForScripts(
      suites.flatMap((suite) => suite.cases),
      { trust: options.trust, terminal },
    );
    return Promise.all(suites.map((suite) => this.#withProbes(suite)));
  };

  readonly plan = async (suite: Suite): Promise<readonly Plan[]> => {
    const { options, terminal, own } = this.#input;
    const projectRoot = this.#projectRoot(suite);
    const results = resultsRoot(options.workspace, projectRoot, terminal);
    const plans: Plan[] = [];
    const older = await this.#olderVersion(suite);
    for (const name of harnessNames(suite, options)) {
      const harness = await makeHarness(name, options, terminal);
      const client = await harness.find();
      const ground = await prepareGround(suite, {
        harness,
        client,
        sandboxName: options.sandbox,
        hidden: [results, ...(this.#input.hidden ?? [])],
        terminal,
        probe: await this.#probe(suite),
        versions: [older, own ?? null].filter((version) => version !== null),
        projectRoot,
        slot: this.#slot,
      });
      for (const note of ground.notes) terminal.err(`note: ${note}\n`);
      for (const model of options.models ?? [null]) {
        const runsOf = this.#rounds?.first(suite);
        const plan = await this.#planOne(suite, { ground, model, results, ...(runsOf && { runsOf }) });
        this.#prepared.set(plan, { ground, results });
        plans.push(plan);
      }
    }
    return plans;
  };

  readonly runAndGrade = async (suite: Suite, plan: Plan, signal: AbortSignal): Promise<Worked> => {
    const prepared = this.#prepared.get(plan);
    if (prepared === undefined) throw new Error("the plan was made by other stages");
    const { options, terminal, mask } = this.#input;
    const { ground, results } = prepared;
    const { bench, variants } = this.#input;
    const arms = bench === undefined ? null : variants;
    const { folder, number, note } = await chooseIteration(results, { ...plan, arms }, options.resume);
    if (note !== null) terminal.err(`note: ${note}\n`);
    const { client } = ground.parts;
    const manifest = await manifestOf(
      { suite, plan, client, options },
      {
        number,
        now: ground.parts.now(),
        group: bench?.group ?? null,
        ...(bench && { bench: { ...bench.options, arms: variants } }),
      },
    );
    await writeManifest(folder.manifest, manifest, mask);
    if (suite.skill !== null && manifest.skill !== null)
      await keepSkill(
        suite.skill,
        projectFolder(results).suite(suite.name).skill(manifest.skill.sha256),
        mask,
      );
    for (let round = plan; ;) {
      const ended = await this.#work({ suite, plan: round, manifest, folder, ground, results }, signal);
      const runsOf = ended === "complete" ? ((await this.#rounds?.next(folder, round)) ?? null) : null;
      if (runsOf === null) return { folder: folder.root, ended };
      round = await this.#planOne(suite, { ground, model: plan.model, results, runsOf });
    }
  };

  async #work(
    { suite, plan, manifest, folder, ground, results }: Round,
    signal: AbortSignal,
  ): Promise<Worked["ended"]> {
    const { options, mask, reporter, grade, bench } = this.#input;
    const reuse = await bench?.reuse?.(projectFolder(results).suite(suite.name), manifest.number);
    const older = await this.#olderVersion(suite);
    await using iteration = await openIteration(folder, mask);
    return await workThrough(
      {
        manifest,
        suite,
        plan,
        iteration,
        trial: ground.parts,
        executor: local({ concurrency: this.#concurrency + STAGED_AHEAD }),
        mask,
        grade,
        ...(reuse && { reuse }),
        optionsFor: (one, trial) => ({
          ...trialOptions(one, plan.model, options, probeOf(suite, one, trial)),
          ...(older !== null && trial.variant === "old_skill" && { skill: older, skillName: older.name }),
        }),
        connect: (trial) =>
          this.#input.connect(trial, { model: plan.model, header: () => this.#header(suite, plan, trial) }),
        listen: (event) => reporter.event(event),
        retries: { attempts: 3, waitMs: (attempt) => 1000 * 2 ** attempt },
        now: ground.parts.now,
      },
      signal,
    );
  }

  readonly summarize = (worked: Worked) =>
    summarizeIteration(worked, { ...this.#input.options, mask: this.#input.mask });

  /** Looked up once per skill: it may have to be fetched. */
  async #olderVersion({ skill }: Suite): Promise<Skill | null> {
    const { bench, variants } = this.#input;
    if (bench === undefined || skill === null || !variants.includes("old_skill")) return null;
    const known = this.#older.get(skill.file);
    if (known !== undefined) return known;
    const found = await bench.olderVersion(skill);
    this.#older.set(skill.file, found);
    return found;
  }

  async #probe(suite: Suite): Promise<Pick<ProbeSetup, "body" | "rivals"> & { others: readonly Skill[] }> {
    const { options } = this.#input;
    const asked = options.selection.mode !== "artifact";
    const others = asked ? await this.#otherSkills(suite, this.#projectRoot(suite)) : [];
    return { body: options.probe, rivals: options.rivals ? others : [], others };
  }

  #projectRoot(suite: Suite): string | null {
    const { own, terminal } = this.#input;
    return projectRootOf(own === undefined ? suite : { ...suite, skill: own }, terminal);
  }

  async #withProbes(suite: Suite): Promise<Suite> {
    if (this.#input.options.selection.mode === "artifact") return suite;
    const { rivals } = await this.#probe(suite);
    const prepared = prepareTriggers(
      suite,
      rivals.map(({ name }) => name),
    );
    for (const note of prepared.notes) this.#input.terminal.err(`note: ${note}\n`);
    return prepared.suite;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ground of new Set([...this.#prepared.values()].map((prepared) => prepared.ground))) {
      await ground[Symbol.asyncDispose]();
    }
  }

  async #planOne(suite: Suite, { ground, model, results, runsOf }: PlanAround): Promise<Plan> {
    const { options, variants, defaultRuns } = this.#input;
    const { client, harness } = ground.parts;
    const arms = suite.skill === null ? (["without_skill"] as const) : variants;
    const { maxTurns, permissionMode, allowedTools, agentArgs, syncTasks, timeoutSeconds, mcpServers } =
      options;
    const determinants = await determinantsOf(suite, {
      client,
      options: { maxTurns, permissionMode, allowedTools, agentArgs, syncTasks, timeoutSeconds, mcpServers },
      projectDigest: ground.projectDigest,
      variants: arms,
      older: await this.#olderVersion(suite),
      probe: await this.#probe(suite),
    });
    const plan = planTrials(suite, {
      harness: harness.name,
      model,
      variants: arms,
      selection: { ...options.selection, ...(harness.name === "classifier" && { mode: "trigger" as const }) },
      runs: options.runs,
      defaultRuns,
      ...(runsOf && { runsOf }),
      seed: options.seed,
      determinants,
      history: await readHistory(results, {
        suite: suite.name,
        harness: harness.name,
        model,
        concurrency: this.#concurrency,
      }),
    });
    this.#determinants.set(plan, determinants);
    return plan;
  }

  #header(suite: Suite, plan: Plan, trial: Trial): CassetteHeader {
    const prepared = this.#prepared.get(plan);
    const determinants = this.#determinants.get(plan);
    const one = suite.cases.find((candidate) => candidate.id === trial.caseId);
    if (prepared === undefined || determinants === undefined || one === undefined)
      throw new Error("the plan was made by other stages");
    return cassetteHeader(trial, one, { plan, determinants, client: prepared.ground.parts.client });
  }
}

function roundsOf({ bench, options, defaultRuns }: StagesInput): Rounds | null {
  if (bench !== undefined) return bench.rounds;
  return options.adaptive
    ? triggerRounds({ runs: options.runs ?? defaultRuns.trigger, threshold: options.triggerThreshold })
    : null;
}
