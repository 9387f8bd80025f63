import { isTimeout, LONGEST_MS } from "../../lib/deadline-signal.ts";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import { plainOf } from "../../lib/shape/read-plain.ts";
import type { HarnessContext } from "../../run/harness.ts";
import { BODY, COMMAND, HEAD } from "./harness-shapes.ts";

const TOO_LATE = "it kept running after the deadline of its trial";

/**
 * What a harness of the user's own has to do with one trial, until the trial is over: then its words are not heard, and
 * nothing that it begins is.
 */
export class GuardedTrial {
  readonly context: HarnessContext;
  readonly #given: HarnessContext;
  readonly #graceMs: number;
  readonly #programs = new Set<Promise<unknown>>();
  #isOver = false;
  #timer: NodeJS.Timeout | null = null;
  #giveUp: (error: Error) => void = () => {};

  constructor(given: HarnessContext, graceMs: number) {
    this.#given = given;
    this.#graceMs = graceMs;
    const { places, env, mcpServers, endpoint, timeLimitMs, signal } = given;
    const facts = { places, env, mcpServers, endpoint, timeLimitMs };
    deepFreeze(facts);
    this.context = Object.freeze<HarnessContext>({
      ...facts,
      signal,
      emit: (body, head) => this.#emit(body, head),
      writeHome: (relative, content) => this.#whileOpen(() => given.writeHome(relative, content)),
      start: (command, watch) => this.#whileOpen(() => this.#start(command, watch)),
    });
  }

  /** Waits until the time is up and some more. A program has a deadline of its own, and may wait for its slot before. */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#given;
    const working = (async () => work())();
    working.catch(() => {});
    const stop = () =>
      this.#arm(0, isTimeout(signal.reason) ? TOO_LATE : "it kept running after the call was stopped");
    const given = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
      this.#armDeadline();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
    });
    try {
      return await Promise.race([working, given]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** When this settles, none of its programs runs any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.allSettled(this.#programs);
  }

  #armDeadline(): void {
    this.#arm(this.#given.timeLimitMs, TOO_LATE);
  }

  #arm(waitMs: number, message: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#timer = setTimeout(
      () => this.#giveUp(new Error(message)),
      Math.min(waitMs + this.#graceMs, LONGEST_MS),
    );
  }

  #emit(...[body, head]: Parameters<HarnessContext["emit"]>): number {
    if (this.#isOver) return 0;
    const said = plainOf(body, BODY, "what was emitted");
    return this.#given.emit(said, plainOf(head ?? {}, HEAD, "the head of what was emitted"));
  }

  async #start(
    ...[command, watch]: Parameters<HarnessContext["start"]>
  ): ReturnType<HarnessContext["start"]> {
    const read = plainOf(command, COMMAND, "the command to start");
    if (typeof watch !== "function") throw new Error("start needs a function that watches the lines");
    const isFirst = this.#programs.size === 0;
    // The clock of the trial starts with its first program, which may have to wait for a slot.
    if (isFirst && this.#timer !== null && !this.#given.signal.aborted) clearTimeout(this.#timer);
    const running = this.#given.start(read, (line) => (this.#isOver ? "stop" : watch(line)));
    this.#programs.add(running);
    try {
      return await running;
    } finally {
      if (isFirst && !this.#given.signal.aborted) this.#armDeadline();
    }
  }

  /** Never answers once the trial is over: what a harness that was given up does then, nobody waits for. */
  #whileOpen<T>(act: () => Promise<T>): Promise<T> {
    return this.#isOver ? new Promise(() => {}) : act();
  }
}
