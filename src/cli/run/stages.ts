import type { Grading } from "../../domain/grading.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Plan, Variant } from "../../domain/trial.ts";
import type { Subject } from "../../grade/subject.ts";
import { workThrough } from "../../iteration/work.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { slots } from "../../lib/slots.ts";
import type { Stages, Worked } from "../../pipeline.ts";
import { planTrials } from "../../plan/plan.ts";
import type { Reporter } from "../../report/reporter.ts";
import { defaultConcurrency, local, machineCapacity } from "../../run/executors/local.ts";
import type { ProbeSetup } from "../../run/probe.ts";
import type { TrialParts } from "../../run/trial.ts";
import { openIteration } from "../../store/iteration.ts";
import type { IterationFolder } from "../../store/layout.ts";
import { writeManifest } from "../../store/manifest.ts";
import type { AdaptiveOptions } from "../../triggers/adaptive.ts";
import { prepareTriggers } from "../../triggers/prepare.ts";
import type { Services } from "../models/services.ts";
import type { Terminal } from "../terminal.ts";
import { firstRound, nextRound } from "./adaptive.ts";
import { askForScripts } from "./consent.ts";
import { determinantsOf } from "./determinants.ts";
import { type Ground, prepareGround, projectRootOf } from "./ground.ts";
import { harnessNames, makeHarness } from "./harness.ts";
import { readHistory } from "./history.ts";
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

  constructor(input: StagesInput) {
    this.#input = input;
    this.report = input.reporter;
    this.#otherSkills = otherSkillsFinder(input.terminal.env["HOME"] ?? null);
    this.#concurrency = input.options.concurrency ?? defaultConcurrency(machineCapacity());
    this.#slot = slots(this.#concurrency);
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
    const { options, terminal } = this.#input;
    const results = resultsRoot(options.workspace, projectRootOf(suite, terminal), terminal);
    const plans: Plan[] = [];
    for (const name of harnessNames(suite, options)) {
      const harness = await makeHarness(name, options, terminal);
      const client = await harness.find();
      const ground = await prepareGround(suite, {
        harness,
        client,
        sandboxName: options.sandbox,
        results,
        terminal,
        probe: await this.#probe(suite),
        slot: this.#slot,
      });
      for (const note of ground.notes) terminal.err(`note: ${note}\n`);
      for (const model of options.models ?? [null]) {
        const runsOf = options.adaptive ? firstRound(suite, this.#adaptive()) : undefined;
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
    const { folder, number, note } = await chooseIteration(results, plan, options.resume);
    if (note !== null) terminal.err(`note: ${note}\n`);
    const { client } = ground.parts;
    const manifest = await manifestOf({ suite, plan, client, options }, { number, now: ground.parts.now() });
    await writeManifest(folder.manifest, manifest, mask);
    for (let round = plan; ;) {
      const ended = await this.#work({ suite, plan: round, manifest, folder, ground }, signal);
      const runsOf =
        options.adaptive && ended === "complete" ? await nextRound(folder, round, this.#adaptive()) : null;
      if (runsOf === null) return { folder: folder.root, ended };
      round = await this.#planOne(suite, { ground, model: plan.model, results, runsOf });
    }
  };

  async #work(
    { suite, plan, manifest, folder, ground }: Round,
    signal: AbortSignal,
  ): Promise<Worked["ended"]> {
    const { options, mask, reporter, grade } = this.#input;
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
        optionsFor: (one, trial) => trialOptions(one, plan.model, options, probeOf(suite, one, trial)),
        connect: (trial) => this.#input.connect(trial, plan.model),
        listen: (event) => reporter.event(event),
        retries: { attempts: 3, waitMs: (attempt) => 1000 * 2 ** attempt },
        now: ground.parts.now,
      },
      signal,
    );
  }

  readonly summarize = (worked: Worked) =>
    summarizeIteration(worked, { ...this.#input.options, mask: this.#input.mask });

  #adaptive(): AdaptiveOptions {
    const { options, defaultRuns } = this.#input;
    return { runs: options.runs ?? defaultRuns.trigger, threshold: options.triggerThreshold };
  }

  async #probe(suite: Suite): Promise<Pick<ProbeSetup, "body" | "rivals"> & { others: readonly Skill[] }> {
    const { options, terminal } = this.#input;
    const others = await this.#otherSkills(suite, projectRootOf(suite, terminal));
    return { body: options.probe, rivals: options.rivals ? others : [], others };
  }

  async #withProbes(suite: Suite): Promise<Suite> {
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
    return planTrials(suite, {
      harness: harness.name,
      model,
      variants: arms,
      selection: { ...options.selection, ...(harness.name === "classifier" && { mode: "trigger" as const }) },
      runs: options.runs,
      defaultRuns,
      ...(runsOf && { runsOf }),
      seed: options.seed,
      determinants: await determinantsOf(suite, {
        client,
        options: { maxTurns, permissionMode, allowedTools, agentArgs, syncTasks, timeoutSeconds, mcpServers },
        projectDigest: ground.projectDigest,
        variants: arms,
        probe: await this.#probe(suite),
      }),
      history: await readHistory(results, {
        suite: suite.name,
        harness: harness.name,
        model,
        concurrency: this.#concurrency,
      }),
    });
  }
}
