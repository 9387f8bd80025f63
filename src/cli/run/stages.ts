import type { Grading } from "../../domain/grading.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Plan, Variant } from "../../domain/trial.ts";
import type { Subject } from "../../grade/subject.ts";
import { workThrough } from "../../iteration/work.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { Stages, Worked } from "../../pipeline.ts";
import { planTrials } from "../../plan/plan.ts";
import type { Reporter } from "../../report/reporter.ts";
import { defaultConcurrency, local, machineCapacity } from "../../run/executors/local.ts";
import { openIteration } from "../../store/iteration.ts";
import { writeManifest } from "../../store/manifest.ts";
import type { Terminal } from "../terminal.ts";
import { askForScripts } from "./consent.ts";
import { determinantsOf } from "./determinants.ts";
import { type Ground, prepareGround, projectRootOf } from "./ground.ts";
import { harnessNames, makeHarness } from "./harness.ts";
import { readHistory } from "./history.ts";
import { loadSuites } from "./load.ts";
import { manifestOf } from "./manifest.ts";
import type { RunOptions } from "./options.ts";
import { chooseIteration, resultsRoot } from "./results.ts";
import { summarizeIteration } from "./summarize.ts";
import { trialOptions } from "./trial-options.ts";

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
}

/** The five stages on this machine; disposing of them removes every workspace. */
export class MachineStages implements Stages, AsyncDisposable {
  readonly report: Required<Reporter>;
  readonly #input: StagesInput;
  readonly #concurrency: number;
  readonly #prepared = new Map<Plan, { ground: Ground; results: string }>();

  constructor(input: StagesInput) {
    this.#input = input;
    this.report = input.reporter;
    this.#concurrency = input.options.concurrency ?? defaultConcurrency(machineCapacity());
  }

  readonly load = async (): Promise<readonly Suite[]> => {
    const { targets, raw, terminal, options } = this.#input;
    const suites = await loadSuites(targets, raw, { terminal, changed: options.changed });
    await askForScripts(
      suites.flatMap((suite) => suite.cases),
      { trust: options.trust, terminal },
    );
    return suites;
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
      });
      for (const note of ground.notes) terminal.err(`note: ${note}\n`);
      for (const model of options.models ?? [null]) {
        const plan = await this.#planOne(suite, { ground, model, results });
        this.#prepared.set(plan, { ground, results });
        plans.push(plan);
      }
    }
    return plans;
  };

  readonly runAndGrade = async (suite: Suite, plan: Plan, signal: AbortSignal): Promise<Worked> => {
    const prepared = this.#prepared.get(plan);
    if (prepared === undefined) throw new Error("the plan was made by other stages");
    const { options, terminal, mask, reporter, grade } = this.#input;
    const { ground, results } = prepared;
    const { folder, number, note } = await chooseIteration(results, plan, options.resume);
    if (note !== null) terminal.err(`note: ${note}\n`);
    await using iteration = await openIteration(folder, mask);
    const { client } = ground.parts;
    const manifest = await manifestOf({ suite, plan, client, options }, { number, now: ground.parts.now() });
    await writeManifest(folder.manifest, manifest, mask);
    const ended = await workThrough(
      {
        manifest,
        suite,
        plan,
        iteration,
        trial: ground.parts,
        executor: local({ concurrency: this.#concurrency }),
        mask,
        grade,
        optionsFor: (one) => trialOptions(one, plan.model, options),
        connect: () => null,
        listen: (event) => reporter.event(event),
        retries: { attempts: 3, waitMs: (attempt) => 1000 * 2 ** attempt },
        now: ground.parts.now,
      },
      signal,
    );
    return { folder: folder.root, ended };
  };

  readonly summarize = (worked: Worked) =>
    summarizeIteration(worked, { ...this.#input.options, mask: this.#input.mask });

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ground of new Set([...this.#prepared.values()].map((prepared) => prepared.ground))) {
      await ground[Symbol.asyncDispose]();
    }
  }

  async #planOne(
    suite: Suite,
    { ground, model, results }: { ground: Ground; model: string | null; results: string },
  ): Promise<Plan> {
    const { options, variants, defaultRuns } = this.#input;
    const { client, harness } = ground.parts;
    const arms = suite.skill === null ? (["without_skill"] as const) : variants;
    const { maxTurns, permissionMode, allowedTools, agentArgs, syncTasks, timeoutSeconds, mcpServers } =
      options;
    return planTrials(suite, {
      harness: harness.name,
      model,
      variants: arms,
      selection: options.selection,
      runs: options.runs,
      defaultRuns,
      seed: options.seed,
      determinants: await determinantsOf(suite, {
        client,
        options: { maxTurns, permissionMode, allowedTools, agentArgs, syncTasks, timeoutSeconds, mcpServers },
        projectDigest: ground.projectDigest,
        variants: arms,
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
