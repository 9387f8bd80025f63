import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Plan } from "../../domain/trial.ts";
import { type Determinants, planTrials } from "../../plan/plan.ts";
import type { Selection } from "../../plan/select.ts";
import type { ProbeSetup } from "../../run/probe.ts";
import type { TrialParts } from "../../run/trial.ts";
import { prepareTriggers } from "../../triggers/prepare.ts";
import { determinantsOf } from "../../engine/determinants.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { type Ground, prepareGround, projectRootOf } from "../../engine/ground.ts";
import { harnessNames, makeHarness } from "../../engine/harness.ts";
import { readHistory } from "../../engine/history.ts";
import { otherSkillsFinder } from "../../engine/project-skills.ts";
import type { StagesInput } from "./stages.ts";

/** A plan with what it was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly determinants: Determinants;
  readonly ground: Ground;
  /** Absolute; holds the iterations of every suite. */
  readonly results: string;
}

/** How often single cases are run, by id; absent: as the case, the user or the default says. */
type RunsOf = ReadonlyMap<string, number> | undefined;

/** Plans suites on this machine and prepares the ground for their trials; disposing of it removes every workspace. */
export class Planner implements AsyncDisposable {
  /** Which cases of a suite are wanted; narrower than the options once all suites are known. */
  selectionOf: (suite: Suite) => Selection;
  readonly #input: StagesInput;
  readonly #concurrency: number;
  readonly #slot: TrialParts["slot"];
  readonly #otherSkills: ReturnType<typeof otherSkillsFinder>;
  readonly #grounds: Ground[] = [];
  readonly #older = new Map<string, Skill | null>();

  constructor(input: StagesInput, { concurrency, slot }: { concurrency: number; slot: TrialParts["slot"] }) {
    this.#input = input;
    this.selectionOf = () => input.options.selection;
    this.#concurrency = concurrency;
    this.#slot = slot;
    this.#otherSkills = otherSkillsFinder(input.terminal.env["HOME"] ?? null);
  }

  /** The suite with what its trigger queries need beside them. */
  async withProbes(suite: Suite): Promise<Suite> {
    if (this.#input.options.selection.mode === "artifact") return suite;
    const { rivals } = await this.#probe(suite);
    const prepared = prepareTriggers(
      suite,
      rivals.map(({ name }) => name),
    );
    for (const note of prepared.notes) this.#input.terminal.err(`note: ${note}\n`);
    return prepared.suite;
  }

  /** One plan for each harness and model. */
  async plan(suite: Suite, runsOf: RunsOf): Promise<readonly Planned[]> {
    const { options, terminal } = this.#input;
    const projectRoot = this.#projectRoot(suite);
    const results = resultsFolder({ workspace: options.workspace }, terminal);
    const planned: Planned[] = [];
    for (const name of harnessNames(suite, options)) {
      const ground = await this.#prepare(name, suite, { projectRoot, results });
      for (const model of options.models ?? [null])
        planned.push(await this.#planOne(suite, { ground, model, results, runsOf }));
    }
    return planned;
  }

  /** The same with other numbers of runs. */
  async again(suite: Suite, { plan, ground, results }: Planned, runsOf: RunsOf): Promise<Planned> {
    return this.#planOne(suite, { ground, model: plan.model, results, runsOf });
  }

  /** What `old_skill` installs. Looked up once per skill: it may have to be fetched. */
  async olderVersion({ skill }: Suite): Promise<Skill | null> {
    const { bench, variants } = this.#input;
    if (bench === undefined || skill === null || !variants.includes("old_skill")) return null;
    const known = this.#older.get(skill.file);
    if (known !== undefined) return known;
    const found = await bench.olderVersion(skill);
    this.#older.set(skill.file, found);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ground of this.#grounds.splice(0)) await ground[Symbol.asyncDispose]();
  }

  async #prepare(
    harnessName: string,
    suite: Suite,
    { projectRoot, results }: { projectRoot: string | null; results: string },
  ): Promise<Ground> {
    const { options, terminal, own, hidden = [] } = this.#input;
    const harness = await makeHarness(harnessName, options, terminal);
    const ground = await prepareGround(suite, {
      harness,
      client: await harness.find(),
      sandboxName: options.sandbox,
      hidden: [results, ...hidden],
      terminal,
      probe: await this.#probe(suite),
      versions: [await this.olderVersion(suite), own ?? null].filter((version) => version !== null),
      projectRoot,
      slot: this.#slot,
    });
    this.#grounds.push(ground);
    for (const note of ground.notes) terminal.err(`note: ${note}\n`);
    return ground;
  }

  async #planOne(
    suite: Suite,
    {
      ground,
      model,
      results,
      runsOf,
    }: { ground: Ground; model: string | null; results: string; runsOf: RunsOf },
  ): Promise<Planned> {
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
      older: await this.olderVersion(suite),
      probe: await this.#probe(suite),
    });
    const plan = planTrials(suite, {
      harness: harness.name,
      model,
      variants: arms,
      selection: {
        ...this.selectionOf(suite),
        ...(harness.name === "classifier" && { mode: "trigger" as const }),
      },
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
    return { plan, determinants, ground, results };
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
}
