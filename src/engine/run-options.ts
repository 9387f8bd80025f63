import type { JsonObject } from "../domain/json.ts";
import type { Machine } from "../machine.ts";
import { commaList } from "../options/kind.ts";
import type { RUN } from "../options/run.ts";
import type { Settled } from "../options/table.ts";
import type { Selection } from "../plan/select.ts";
import type { Settings } from "./config.ts";
import { readMcpServers } from "./mcp.ts";
import { namedProjectRoot } from "./project-root.ts";

/** Which trials, on which agents. */
export interface WhatToRun {
  readonly harnesses: readonly string[] | null;
  readonly models: readonly string[] | null;
  /** From the configuration: what holds where neither the caller nor the eval file says anything. */
  readonly fallback: {
    readonly harness: string | null;
    readonly runs: number | null;
    readonly timeoutSeconds: number | null;
  };
  readonly selection: Selection;
  readonly changed: string | null;
  readonly runs: number | null;
  readonly concurrency: number | null;
}

/** Everything a run may be told; null is "not said". */
export interface RunOptions extends WhatToRun {
  readonly timeoutSeconds: number | null;
  readonly sandbox: string;
  /** The project agents work in a copy of, absolute; null: the one around the skill. */
  readonly projectRoot: string | null;
  /** Which of its files are staged although git ignores them, as in a .gitignore. */
  readonly include: readonly string[];
  readonly trust: boolean;
  readonly resume: boolean;
  /** Run only what the last iteration left out. */
  readonly retryErrors: boolean;
  /** Take over what no change can touch. */
  readonly affected: boolean;
  /** The user agreed beforehand to repeat paid runs. */
  readonly yes: boolean;
  /** Everything models say is played back. */
  readonly replay: boolean;
  readonly grade: boolean;
  readonly allowMissing: number;
  readonly minPassRate: number | null;
  readonly triggerThreshold: number;
  readonly probe: "intact" | "stub";
  readonly rivals: boolean;
  readonly adaptive: boolean;
  readonly seed: number;
  readonly maxTurns: number | null;
  readonly permissionMode: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly mcpServers: JsonObject | null;
  readonly agentArgs: readonly string[];
  readonly syncTasks: boolean | null;
  readonly script: string | null;
  readonly command: string | null;
}

type RunSettled = Settled<typeof RUN>;

function whatToRunOf(settled: WhatSettled, settings: Settings): WhatToRun {
  const { harnesses, models, mode, cases, filter, shard, changed, runs, concurrency } = settled;
  return {
    harnesses,
    models: models ?? (settings.model === null ? null : commaList(settings.model)),
    fallback: { harness: settings.harness, runs: settings.runs, timeoutSeconds: settings.timeout },
    selection: { mode, cases, filter, shard },
    changed,
    runs,
    concurrency,
  };
}

type WhatSettled = Pick<
  RunSettled,
  "harnesses" | "models" | "mode" | "cases" | "filter" | "shard" | "changed" | "runs" | "concurrency"
>;

/** `replay` is said with the recordings, which not every operation has. */
export async function runOptionsOf(
  settled: Omit<RunSettled, "targets" | "evals" | "skill" | "strict" | "workspace">,
  { settings, machine, replay }: { settings: Settings; machine: Machine; replay: "only" | "auto" | null },
): Promise<RunOptions> {
  const { mcp, syncTasks, harnesses: _, models: __, ...rest } = settled;
  const { timeoutSeconds, sandbox, include, trust, grade, allowMissing, minPassRate } = rest;
  const { resume, retryErrors, affected, yes } = rest;
  const { triggerThreshold, probe, rivals, adaptive, seed } = rest;
  const { maxTurns, permissionMode, allowedTools, agentArgs, script, command } = rest;
  return {
    ...whatToRunOf(settled, settings),
    timeoutSeconds,
    sandbox,
    projectRoot: namedProjectRoot(settled.projectRoot, machine),
    include,
    trust,
    resume,
    retryErrors,
    affected,
    yes,
    replay: replay === "only",
    grade,
    allowMissing,
    minPassRate,
    triggerThreshold,
    probe,
    rivals,
    adaptive,
    seed,
    maxTurns,
    permissionMode,
    allowedTools,
    mcpServers: await readMcpServers(mcp, machine),
    agentArgs,
    syncTasks: syncTasks === true ? true : null,
    script,
    command,
  };
}
