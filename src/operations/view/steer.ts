import { realpath } from "node:fs/promises";
import type { RunStatus } from "../../domain/control.ts";
import type { LiveCall, Steering } from "../../domain/pages.ts";
import { UserError } from "../../domain/user-error.ts";
import { findRunning, type Reachable } from "../../engine/control/find-running.ts";
import type { ControlMessage } from "../../engine/control/message.ts";
import type { IterationFolder } from "../../store/layout.ts";

/** How the call stands that is at work on an iteration; null: none that answers is. */
export async function callAtWork(folder: IterationFolder, results: string): Promise<LiveCall | null> {
  const found = await reachable(folder, results);
  return found && callOf(found.status);
}

/** Pauses, resumes or stops the call that is at work on an iteration. */
export async function steerCall(folder: IterationFolder, told: unknown, results: string): Promise<LiveCall> {
  const message = messageOf(told);
  const found = await reachable(folder, results);
  if (found === null)
    throw new UserError("control/not-running", "no call that answers is at work on this iteration", {
      hint: "it may have ended; assay status lists what is running",
    });
  const reply = await found.tell(message);
  if (reply.ok) return callOf(reply.status);
  throw new UserError("control/refused", `cannot ${message.do} the run: ${reply.problem}`, {
    hint: "assay status shows what is running",
  });
}

const MESSAGES: Readonly<Record<Steering, ControlMessage>> = {
  pause: { do: "pause" },
  resume: { do: "resume" },
  stop: { do: "stop", now: false },
};

function messageOf(told: unknown): ControlMessage {
  const { do: wanted } = (told ?? {}) as { readonly do?: unknown };
  if (typeof wanted === "string" && Object.hasOwn(MESSAGES, wanted)) return MESSAGES[wanted as Steering];
  throw new UserError("view/bad-request", "a run can be paused, resumed or stopped");
}

async function reachable(folder: IterationFolder, results: string): Promise<Reachable | null> {
  const own = await realpath(folder.root);
  for (const one of await findRunning(results, () => {})) {
    const folders = await Promise.all(
      one.status.iterations.map((iteration) => realpath(iteration.folder).catch(() => "")),
    );
    if (folders.includes(own)) return one;
  }
  return null;
}

function callOf({ state, concurrency, spending, services }: RunStatus): LiveCall {
  return { state, concurrency, spending, services };
}
