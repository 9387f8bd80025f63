import type { JsonObject } from "../domain/json.ts";
import type { Machine } from "../machine.ts";
import { commaList } from "../options/kind.ts";
import { AGENT, type RUN, RUNNING, SELECTION } from "../options/run.ts";
import { type Settled, settledPart } from "../options/table.ts";
import type { Selection } from "../plan/select.ts";
import type { Settings } from "./config.ts";
import { readMcpServers } from "./mcp.ts";
import { namedProjectRoot } from "./project-root.ts";

/** Which trials, on which agents. */
export interface WhatToRun extends Omit<Settled<typeof SELECTION>, keyof Selection> {
  /** From the configuration: what holds where neither the caller nor the eval file says anything. */
  readonly fallback: {
    readonly harness: string | null;
    readonly runs: number | null;
    readonly timeoutSeconds: number | null;
  };
  readonly selection: Selection;
}

/** Everything a run may be told: what the tables say, and what has to be looked up for it. Null is "not said". */
export interface RunOptions extends WhatToRun, Settled<typeof RUNNING>, Omit<Settled<typeof AGENT>, "mcp"> {
  /** The project agents work in a copy of, absolute; null: the one around the skill. */
  readonly projectRoot: string | null;
  /** Everything models say is played back. */
  readonly replay: boolean;
  readonly mcpServers: JsonObject | null;
  /** An unsettled trigger query counts as a missing result. */
  readonly strict: boolean;
}

/** `replay` is said with the recordings, which not every operation has. */
export async function runOptionsOf(
  settled: Omit<Settled<typeof RUN>, "targets" | "evals" | "skill" | "workspace">,
  { settings, machine, replay }: { settings: Settings; machine: Machine; replay: "only" | "auto" | null },
): Promise<RunOptions> {
  const { mcp, ...agent } = settledPart(AGENT, settled);
  return {
    ...whatToRunOf(settledPart(SELECTION, settled), settings),
    ...settledPart(RUNNING, settled),
    ...agent,
    // A case may ask for it, so not asking for it is no answer.
    syncTasks: agent.syncTasks === true ? true : null,
    projectRoot: namedProjectRoot(settled.projectRoot, machine),
    replay: replay === "only",
    mcpServers: await readMcpServers(mcp, machine),
    strict: settled.strict,
  };
}

function whatToRunOf(settled: Settled<typeof SELECTION>, settings: Settings): WhatToRun {
  const { mode, cases, filter, shard, ...rest } = settled;
  return {
    ...rest,
    models: rest.models ?? (settings.model === null ? null : commaList(settings.model)),
    fallback: { harness: settings.harness, runs: settings.runs, timeoutSeconds: settings.timeout },
    selection: { mode, cases, filter, shard },
  };
}
