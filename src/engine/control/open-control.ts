import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { RunStatus } from "../../domain/control.ts";
import type { EvalEvent } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import { thrownWords } from "../../lib/thrown-words.ts";
import type { Machine } from "../../machine.ts";
import type { GateOptions } from "../../report/gates.ts";
import { createPace, type Pace } from "../../run/pace.ts";
import { openRunFolder } from "../run-folder.ts";
import { findRunning } from "./find-running.ts";
import { CONTROL_PROTOCOL, type ControlMessage, type ControlReply } from "./message.ts";
import { RunProgress } from "./progress.ts";
import { removeRecord, writeRecord } from "./records.ts";
import { listenAt } from "./socket.ts";
import { steer } from "./steer.ts";

/** Lets other terminals, and programs of the same user, see and steer a call while it is at work. */
export interface Control extends AsyncDisposable {
  readonly pace: Pace;
  /** Fires when the call was told to end at once. */
  readonly signal: AbortSignal;
  /** Calls after each change that people or the run itself make to pace and limits. */
  readonly onChange: (listener: () => void) => void;
  readonly listen: (event: EvalEvent, iteration: Iteration, results: string) => void;
}

export interface ControlRequest {
  readonly machine: Machine;
  readonly concurrency: number;
  readonly gates: GateOptions;
  /** The results folder, absolute: where others look for what is at work. */
  readonly results: string;
  /** Null: nothing is metered. */
  readonly gateway: Pick<Gateway, "budget" | "limits" | "limitBudget"> | null;
}

/** Nothing is opened before the first iteration begins; what cannot be opened stops no work. */
export function openControl({ machine, concurrency, gates, results, gateway }: ControlRequest): Control {
  const pace = createPace(concurrency);
  const stop = new AbortController();
  const progress = new RunProgress(gates);
  const id = randomBytes(3).toString("hex");
  const startedAt = machine.now().toISOString();
  const steered = {
    pace,
    gateway,
    abort: () => stop.abort(new Error("stopped from another terminal")),
    note: machine.note,
  };
  const status = async (): Promise<RunStatus> => ({
    id,
    pid: process.pid,
    startedAt,
    state: pace.state,
    concurrency: pace.concurrency,
    iterations: await progress.iterations(),
    spending: spendingOf(progress, gateway),
    services: servicesOf(gateway),
  });
  const answer = async (message: ControlMessage): Promise<ControlReply> => {
    const problem = steer(message, steered);
    if (problem === null && message.do === "limit") for (const listener of listeners) listener();
    return problem === null ? { ok: true, status: await status() } : { ok: false, problem };
  };
  const listeners: (() => void)[] = [];
  const undo: (() => Promise<unknown>)[] = [];
  const open = async (): Promise<void> => {
    // What killed calls left is cleared away on the occasion.
    await findRunning(results, () => {});
    const folder = await openRunFolder();
    undo.push(async () => folder[Symbol.asyncDispose]());
    const socket = join(folder.path, "control");
    const server = await listenAt(socket, answer);
    undo.push(async () => server[Symbol.asyncDispose]());
    const path = await writeRecord(results, { protocol: CONTROL_PROTOCOL, id, pid: process.pid, socket });
    undo.push(() => removeRecord(path, results));
  };
  let opening: Promise<void> | null = null;
  return {
    pace,
    signal: stop.signal,
    onChange(listener) {
      pace.onChange(listener);
      listeners.push(listener);
    },
    listen(event, iteration, at) {
      progress.hear(event, iteration, at);
      opening ??= open().catch((error: unknown) =>
        machine.note(`this run cannot be controlled from another terminal: ${thrownWords(error)}`),
      );
    },
    async [Symbol.asyncDispose]() {
      await opening;
      for (const step of undo.splice(0).toReversed()) await step();
    },
  };
}

function spendingOf(progress: RunProgress, gateway: ControlRequest["gateway"]): RunStatus["spending"] {
  const { maxCostUsd = null, maxTokens = null, spent = null } = gateway?.budget() ?? {};
  const isLimited = maxCostUsd !== null || maxTokens !== null;
  return { ...(isLimited && spent !== null ? spent : progress.spent), maxCostUsd, maxTokens };
}

function servicesOf(gateway: ControlRequest["gateway"]): RunStatus["services"] {
  const shown = Object.entries(gateway?.limits() ?? {}).map(([name, now]) => {
    const { limit, waiting, pausedMs, limited } = now;
    return [name, { limit, waiting, pausedMs, limited }] as const;
  });
  return Object.fromEntries(shown);
}
