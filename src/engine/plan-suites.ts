import type { AgentPlan, GroundPlan, Plan } from "../domain/plan.ts";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import type { Variant } from "../domain/trial.ts";
import { UserError } from "../domain/user-error.ts";
import { determinantsOf } from "../iteration/digests.ts";
import { NO_HISTORY } from "../plan/estimate.ts";
import { DEFAULT_TRIGGER_RUNS } from "../domain/triggers.ts";
import { triggerRunsOf } from "../triggers/repeats.ts";
import type { Machine } from "../machine.ts";
import { planTrials } from "../plan/plan.ts";
import { type Selection, selectionPerSuite } from "../plan/select.ts";
import type { ProjectState } from "../run/workspace/project-digest.ts";
import { defaultConcurrency, machineCapacity } from "../run/executors/local.ts";
import { hiddenPaths } from "../run/workspace/hidden.ts";
import { harnessNames } from "./harness.ts";
import { pricedHistory } from "./history.ts";
import { allowedHosts } from "./allowed-hosts.ts";
import { limitsOf } from "./limits.ts";
import type { RunOptions } from "./run-options.ts";
import type { Survey } from "./survey.ts";

/** What a caller wants run, beyond the suites themselves. */
export interface PlanRequest {
  readonly options: RunOptions;
  readonly variants: readonly Variant[];
  /** What a case gets when neither the caller nor the case says. */
  readonly defaultRuns: { readonly task: number; readonly trigger: number };
  /** Absolute; holds the iterations of every suite. */
  readonly results: string;
  readonly concurrency: number;
  /** Absolute paths that no agent may see, beside evals and results. */
  readonly hidden: readonly string[];
  /** The version that `old_skill` installs; null where there is none. */
  readonly olderVersion: (skill: Skill) => Promise<Skill | null>;
  /** Other versions of the skill that lie in the project. */
  readonly versions: readonly Skill[];
  /** Runs of single cases, by id, before anything is known; undefined: as planned. */
  readonly firstRuns: (suite: Suite) => ReadonlyMap<string, number> | undefined;
  /** Runs of a trigger query that stays unsettled. */
  readonly mostTriggerRuns: number;
  readonly now: () => Date;
}

/** What every plan starts from; `differences` are what this caller wants otherwise. */
export function planRequest(
  { options, results, machine }: { options: RunOptions; results: string; machine: Machine },
  differences: Partial<PlanRequest> = {},
): PlanRequest {
  return {
    options,
    ...usualArms(options),
    results,
    concurrency: concurrencyOf(options),
    hidden: [],
    olderVersion: async () => null,
    versions: [],
    firstRuns: () => undefined,
    mostTriggerRuns: triggerRunsOf(options, DEFAULT_TRIGGER_RUNS).most,
    now: machine.now,
    ...differences,
  };
}

/** How many trials are at work at once. */
export function concurrencyOf({ concurrency }: Pick<RunOptions, "concurrency">): number {
  return concurrency ?? defaultConcurrency(machineCapacity());
}

/** A run without anything to compare with. */
export function usualArms({ fallback }: RunOptions): Pick<PlanRequest, "variants" | "defaultRuns"> {
  return {
    variants: ["with_skill"],
    defaultRuns: { task: fallback.runs ?? 1, trigger: DEFAULT_TRIGGER_RUNS },
  };
}

/**
 * One plan for each suite, harness and model, in that order. Looks, and prepares nothing. Without `find` no agent is looked
 * for and no project is read: enough to know what would run, not to run it.
 */
export async function planSuites(
  suites: readonly Suite[],
  request: PlanRequest,
  { survey, find = true }: { survey: Survey; find?: boolean },
): Promise<readonly Plan[]> {
  const selectionOf = selectionPerSuite(suites, request.options.selection);
  const plans: Plan[] = [];
  for (const suite of suites) {
    survey.signal.throwIfAborted();
    const facts = await factsOf(suite, request, { survey, find });
    for (const name of harnessNames(suite, request.options)) {
      const agent = find ? await survey.agent(name) : null;
      const harness = agent?.harness.name ?? name;
      const client = agent === null ? null : { name: agent.client.name, version: agent.client.version };
      const program = agent?.client.digest ?? null;
      for (const model of request.options.models ?? [null]) {
        const selection = forHarness(harness, selectionOf(suite));
        plans.push(
          await planOne({ ...facts, harness, client, program, model, selection }, request, survey.signal),
        );
      }
    }
  }
  return plans;
}

/** Null: the agent's version says all. */
type AgentProgram = { readonly program: string | null };

type Facts = Pick<Plan, "suite" | "variants" | "ground"> & { readonly project: ProjectState };

async function factsOf(
  suite: Suite,
  request: PlanRequest,
  { survey, find }: { survey: Survey; find: boolean },
): Promise<Facts> {
  requireSkillFile(suite);
  const { options, results } = request;
  const variants = suite.skill === null ? (["without_skill"] as const) : request.variants;
  const older =
    suite.skill !== null && variants.includes("old_skill") ? await request.olderVersion(suite.skill) : null;
  const projectRoot = survey.projectRoot(suite);
  const others = options.selection.mode === "artifact" ? [] : await survey.otherSkills(suite);
  const hidden = [results, ...request.hidden];
  const versions = [...(older === null ? [] : [older]), ...request.versions];
  const digestOptions = {
    skills: [...(suite.skill === null ? [] : [suite.skill]), ...versions],
    hidden: [...hiddenPaths(suite, projectRoot), ...hidden],
  };
  return {
    suite,
    variants,
    ground: {
      sandbox: options.sandbox,
      network: options.network,
      allowHosts: allowedHosts(options.allowHosts),
      limits: limitsOf(options.limits),
      projectRoot,
      include: options.include,
      hidden,
      older,
      versions,
      probe: { body: options.probe, rivals: options.rivals ? others : [], others },
    },
    project: find
      ? await look(survey, { ...digestOptions, projectRoot, options })
      : { digest: "", files: {} },
  };
}

/** The project; and, beside it, the sandbox, which costs no time of its own here and is wanted before the first trial. */
async function look(
  survey: Survey,
  {
    projectRoot,
    options,
    ...digestOptions
  }: Parameters<Survey["projectDigest"]>[1] & Pick<PlanRequest, "options"> & Pick<GroundPlan, "projectRoot">,
): Promise<ProjectState> {
  const [project] = await Promise.all([
    survey.projectDigest(projectRoot, digestOptions),
    survey.sandbox(options.sandbox).catch(() => null),
  ]);
  return project;
}

/** A clauditor spec calls its skill by name: without the skill's file there is nothing that could be called. */
function requireSkillFile({ name, skill, files }: Suite): void {
  const spec = files.find(({ format }) => format === "clauditor");
  if (skill !== null || spec === undefined) return;
  throw new UserError("run/no-skill-file", `${spec.path}: no file of the skill ${name} found`, {
    hint: `put ${name}.md or SKILL.md beside the spec, or pass the skill with --skill`,
  });
}

async function planOne(
  {
    suite,
    variants,
    ground,
    project,
    harness,
    client,
    program,
    model,
    selection,
  }: Facts & Pick<Plan, "harness" | "client" | "model"> & AgentProgram & { readonly selection: Selection },
  { options, defaultRuns, results, concurrency, firstRuns, mostTriggerRuns, now }: PlanRequest,
  signal: AbortSignal,
): Promise<Plan> {
  const agent = agentPlan(options);
  const { fallbackTimeoutSeconds: _, ...asked } = agent;
  const determinants = await determinantsOf(suite, {
    client,
    options: program === null ? asked : { ...asked, program },
    projectDigest: project.digest,
    hidden: ground.hidden,
    variants,
    older: ground.older,
    probe: ground.probe,
    signal,
  });
  const runsOf = firstRuns(suite);
  const { seed, runs } = options;
  const planned = planTrials(suite, {
    harness,
    model,
    variants,
    selection,
    runs,
    defaultRuns,
    ...(runsOf && { runsOf }),
    mostTriggerRuns,
    seed,
    determinants,
    history: await pricedHistory(results, { suite: suite.name, harness, model, concurrency }, now),
  });
  const facts = { suite, harness, client, model, variants, seed, determinants, ground, agent };
  return { ...facts, projectFiles: project.files, ...planned };
}

/** The same plan with other numbers of runs for some cases. */
export function planAgain(
  plan: Plan,
  runsOf: ReadonlyMap<string, number>,
  { options, defaultRuns }: Pick<PlanRequest, "options" | "defaultRuns">,
): Plan {
  const cases = new Set(plan.trials.map(({ caseId }) => caseId));
  const planned = planTrials(plan.suite, {
    ...plan,
    selection: forHarness(plan.harness, { ...options.selection, shard: null, cases: [...cases] }),
    runs: options.runs,
    defaultRuns,
    runsOf,
    history: NO_HISTORY,
  });
  return { ...plan, ...planned };
}

/** A classifier runs no task. */
function forHarness(harness: string, selection: Selection): Selection {
  return harness === "classifier" ? { ...selection, mode: "trigger" } : selection;
}

function agentPlan(options: RunOptions): AgentPlan {
  const { maxTurns, permissionMode, allowedTools, agentArgs, syncTasks, timeoutSeconds, mcpServers } =
    options;
  return {
    maxTurns,
    permissionMode,
    allowedTools,
    agentArgs,
    syncTasks,
    timeoutSeconds,
    fallbackTimeoutSeconds: options.fallback.timeoutSeconds,
    mcpServers,
  };
}
