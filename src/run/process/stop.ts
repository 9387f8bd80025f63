import { setTimeout as sleep } from "node:timers/promises";
import { isOneStarting, laterProcessesWith, type ProcessEntry, processes, sendSignal } from "./processes.ts";
import type { Program } from "./program.ts";

/** How long a program is left to end by itself after each signal. */
export interface Grace {
  readonly interruptMs: number;
  readonly terminateMs: number;
}

/** The environment variable by which processes of a trial are found again when they left their process group. */
export const TRIAL_MARK = "ASSAY_TRIAL";

/**
 * Asks the program to end, then makes it: SIGINT, SIGTERM, SIGKILL, each to the whole group. Answers false when even
 * that did not end it, which only a process stuck in the kernel survives.
 */
export async function stopProgram(program: Program, contained: boolean, grace: Grace): Promise<boolean> {
  const { pid } = program;
  if (pid === null) return true;
  const tree = contained ? namespaceTree(pid) : groupTree(pid);
  tree.signal("SIGINT");
  if (!(await endsWithin(program, grace.interruptMs))) {
    tree.signal("SIGTERM");
    if (!(await endsWithin(program, grace.terminateMs))) {
      tree.kill();
      if (!(await endsWithin(program, CONTAINER_EXIT_MS))) sendSignal(-pid, "SIGKILL");
    }
  }
  const ended = await endsWithin(program, UNKILLABLE_MS);
  if (!ended) program.abandon();
  if (!contained && sendSignal(-pid, "SIGKILL")) await sleep(GROUP_EXIT_MS);
  return ended;
}

/**
 * Kills what a program left behind: members of its group, and processes anywhere that carry its mark. Answers how many
 * were found.
 */
export async function killSurvivors(group: number, mark: string | undefined): Promise<number> {
  const found = new Set<number>();
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const marked = mark === undefined ? [] : laterProcessesWith(group, TRIAL_MARK, mark);
    const groupLives = sendSignal(-group, "SIGKILL");
    if (marked.length === 0 && !groupLives && (mark === undefined || !isOneStarting(group))) break;
    for (const pid of marked.filter((pid) => sendSignal(pid, "SIGKILL"))) found.add(pid);
    await sleep(SWEEP_PAUSE_MS);
  }
  return found.size;
}

interface Tree {
  signal(signal: NodeJS.Signals): void;
  kill(): void;
}

function groupTree(leader: number): Tree {
  return {
    signal: (signal) => void sendSignal(-leader, signal),
    kill: () => void sendSignal(-leader, "SIGKILL"),
  };
}

/**
 * The wrapper `outer` must not be signalled once there is an inside: early on that would outlive it, and later it would be
 * gone before it could end by itself. Its one child is the namespace's first process: the kernel keeps signals other
 * than SIGKILL from it, and its end, which takes everything inside with it, ends the wrapper. Without a child nothing has
 * begun that could end well. Looked for anew each time, because the start goes on meanwhile.
 */
function namespaceTree(outer: number): Tree {
  const send = (found: readonly ProcessEntry[], signal: NodeJS.Signals): void => {
    if (found.length === 0) sendSignal(-outer, "SIGKILL");
    for (const { pid } of found) sendSignal(pid, signal);
  };
  const inside = (): readonly ProcessEntry[] => {
    const all = processes();
    const first = all.find((entry) => entry.parent === outer);
    return all.filter((entry) => entry.group === first?.group && entry.pid !== outer);
  };
  return {
    signal: (signal) => send(inside(), signal),
    kill: () =>
      send(
        processes().filter((entry) => entry.parent === outer),
        "SIGKILL",
      ),
  };
}

async function endsWithin(program: Program, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (program.ending === null) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await program.wait(left);
  }
  return true;
}

const CONTAINER_EXIT_MS = 500;
const UNKILLABLE_MS = 5000;
const GROUP_EXIT_MS = 5;
const SWEEP_ROUNDS = 10;
const SWEEP_PAUSE_MS = 5;
