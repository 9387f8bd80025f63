import type { PatternProgram, Step } from "./program.ts";

/** Where a match begins and ends, in characters. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/** Thrown when a search has to stop. */
export class SearchStopped extends Error {}

/**
 * Finds matches in one text as Python's engine does: leftmost, choices in their order. What has failed at a place is not
 * tried there again, so that the time grows with the text alone, unless the pattern refers back to what groups matched.
 */
export class Matcher {
  readonly #program: PatternProgram;
  readonly #codes: Uint32Array | Uint16Array;
  readonly #failed: Uint8Array | null;
  readonly #check: () => void;
  readonly #first: ((code: number) => boolean) | null;
  #ticks = 0;

  constructor(program: PatternProgram, codes: Uint32Array | Uint16Array, check: () => void) {
    this.#program = program;
    this.#codes = codes;
    this.#check = check;
    const first = program.steps.find(({ op }) => op !== "save");
    this.#first = first?.op === "char" ? first.test : null;
    const bits = (codes.length + 1) * program.splits;
    if (bits > MOST_BITS) throw new SearchStopped("the text is too long for this pattern");
    this.#failed = program.forgetful ? new Uint8Array(Math.ceil(bits / 8)) : null;
  }

  /** A match that begins exactly at `start`; `advance`: not an empty one. `whole`: only one that ends with the text. */
  matchAt(start: number, { advance = false, whole = false } = {}): MatchSpan | null {
    const end = this.#run(0, start, NO_GROUPS, {
      failed: this.#failed,
      accepts: (at) => !(advance && at === start) && !(whole && at !== this.#codes.length),
    });
    if (end === null) return null;
    this.#forget(end.at);
    return { start, end: end.at };
  }

  /** False where no match can begin, as far as the first character tells. */
  mayBegin(start: number): boolean {
    if (this.#first === null) return true;
    const code = this.#codes[start];
    return code !== undefined && this.#first(code);
  }

  /** The way to a match did not fail; where it ended is the only place of it that is ever looked at again. */
  #forget(at: number): void {
    const { splits } = this.#program;
    for (let bit = at * splits; this.#failed !== null && bit < (at + 1) * splits; bit++) {
      const byte = this.#failed[bit >> 3] ?? 0;
      this.#failed[bit >> 3] = byte & ~(1 << (bit & 7));
    }
  }

  #run(from: number, start: number, groups: Groups, limits: Limits): Ended | null {
    const { steps } = this.#program;
    const codes = this.#codes;
    const stack: Thread[] = [];
    const seen = this.#failed === null ? null : new Set<string>();
    let thread: Thread | undefined = { pc: from, at: start, rounds: 0, groups };
    while (thread !== undefined) {
      let { pc, at, rounds, groups: held }: Thread = thread;
      for (;;) {
        if ((++this.#ticks & 0x3fff) === 0) this.#check();
        const step = steps[pc] as Step;
        if (step.op === "char") {
          const code = codes[at];
          if (code === undefined || !step.test(code)) break;
          at++;
          rounds = 0;
          pc++;
        } else if (step.op === "split") {
          if (this.#wasTried({ id: step.id, at, rounds }, { limits, seen })) break;
          if (stack.length > MOST_THREADS) throw new SearchStopped("the text is too long for this pattern");
          stack.push({ pc: step.second, at, rounds, groups: held });
          pc = step.first;
        } else if (step.op === "accept") {
          if (limits.accepts(at)) return { at, groups: held };
          break;
        } else {
          const moved = this.#step(step, { pc, at, rounds, groups: held }, stack);
          if (moved === null) break;
          ({ pc, at, rounds, groups: held } = moved);
        }
      }
      thread = stack.pop();
    }
    return null;
  }

  #wasTried(
    { id, at, rounds }: { id: number; at: number; rounds: number },
    { limits, seen }: { limits: Limits; seen: Set<string> | null },
  ): boolean {
    if (seen === null) return false;
    const key = at * this.#program.splits + id;
    if (limits.failed !== null && rounds === 0) {
      const mask = 1 << (key & 7);
      const byte = limits.failed[key >> 3] ?? 0;
      limits.failed[key >> 3] = byte | mask;
      return (byte & mask) !== 0;
    }
    const name = `${rounds}:${key}`;
    if (seen.has(name)) return true;
    seen.add(name);
    return false;
  }

  /** Every step but the three that most of the time goes to; null: it leads nowhere. */
  #step(step: Step, thread: Thread, stack: Thread[]): Thread | null {
    const { pc, at, rounds, groups } = thread;
    switch (step.op) {
      case "edge":
        return this.#isAt(step, at) ? { ...thread, pc: pc + 1 } : null;
      case "jump":
        return { ...thread, pc: step.to };
      case "round":
        return { ...thread, pc: pc + 1, rounds: rounds | (1 << step.loop) };
      case "again": {
        const nothing = (rounds & (1 << step.loop)) !== 0;
        return { ...thread, pc: nothing ? step.exit : step.to, rounds: rounds & ~(1 << step.loop) };
      }
      case "save":
        return this.#program.forgetful
          ? { ...thread, pc: pc + 1 }
          : { ...thread, pc: pc + 1, groups: { ...groups, [step.slot]: at } };
      case "reference":
        return this.#refer(step, thread);
      case "conditional":
        return { ...thread, pc: spanOf(groups, step.group) === null ? step.no : pc + 1 };
      case "look": {
        const found = this.#look(step, thread);
        if ((found === null) !== step.negated) return null;
        return { ...thread, pc: step.next, groups: found?.groups ?? groups };
      }
      case "atomic": {
        const found = this.#run(pc + 1, at, groups, ANYWHERE);
        return found === null
          ? null
          : { pc: step.next, at: found.at, rounds: found.at === at ? rounds : 0, groups: found.groups };
      }
      case "run":
        return this.#runOf(step, thread, stack);
      default:
        return null;
    }
  }

  #look({ behind, width }: Step & { op: "look" }, { pc, at, groups }: Thread): Ended | null {
    if (!behind) return this.#run(pc + 1, at, groups, ANYWHERE);
    for (let back = width.min; back <= Math.min(width.max, at); back++) {
      const found = this.#run(pc + 1, at - back, groups, { failed: null, accepts: (end) => end === at });
      if (found !== null) return found;
    }
    return null;
  }

  #refer({ group, fold }: Step & { op: "reference" }, thread: Thread): Thread | null {
    const span = spanOf(thread.groups, group);
    if (span === null) return null;
    const length = span.end - span.start;
    for (let index = 0; index < length; index++) {
      const [one, other] = [this.#codes[span.start + index], this.#codes[thread.at + index]];
      if (one === undefined || other === undefined || !isSame(one, other, fold !== "exact")) return null;
    }
    return {
      ...thread,
      pc: thread.pc + 1,
      at: thread.at + length,
      rounds: length === 0 ? thread.rounds : 0,
    };
  }

  #runOf(step: Step & { op: "run" }, thread: Thread, stack: Thread[]): Thread | null {
    const { pc, at, groups } = thread;
    let most = 0;
    while (most < step.max && at + most < this.#codes.length && step.test(this.#codes[at + most] ?? 0))
      most++;
    if (most < step.min) return null;
    const ends = Array.from({ length: most - step.min + 1 }, (_, index) => step.min + index);
    // The last that is pushed is the first to be tried.
    const order = step.greedy ? ends : ends.toReversed();
    for (const length of order.slice(0, -1))
      stack.push({ pc: pc + 1, at: at + length, rounds: length === 0 ? thread.rounds : 0, groups });
    const first = order.at(-1) ?? 0;
    return { pc: pc + 1, at: at + first, rounds: first === 0 ? thread.rounds : 0, groups };
  }

  /** In an empty text nothing is a word edge and nothing is not one, as in Python up to 3.13. */
  #isAt({ edge, word }: Step & { op: "edge" }, at: number): boolean {
    const codes = this.#codes;
    const { length } = codes;
    const isWord = (index: number): boolean => index >= 0 && index < length && word(codes[index] ?? 0);
    switch (edge) {
      case "text-start":
        return at === 0;
      case "text-end":
        return at === length;
      case "last-line-end":
        return at === length || (at === length - 1 && codes[at] === NEWLINE);
      case "line-start":
        return at === 0 || codes[at - 1] === NEWLINE;
      case "line-end":
        return at === length || codes[at] === NEWLINE;
      case "word":
        return length > 0 && isWord(at - 1) !== isWord(at);
      case "not-word":
        return length > 0 && isWord(at - 1) === isWord(at);
    }
  }
}

/** Positions by slot: where group n begins is slot 2n, where it ends is 2n + 1. */
type Groups = Readonly<Record<number, number>>;

interface Thread {
  readonly pc: number;
  readonly at: number;
  /** Repetitions whose present round has matched nothing yet, one bit each. */
  readonly rounds: number;
  readonly groups: Groups;
}

interface Ended {
  readonly at: number;
  readonly groups: Groups;
}

interface Limits {
  /** What failed in earlier attempts; null: nothing is known. */
  readonly failed: Uint8Array | null;
  readonly accepts: (at: number) => boolean;
}

const NO_GROUPS: Groups = {};
const ANYWHERE: Limits = { failed: null, accepts: () => true };
const NEWLINE = 10;
const MOST_BITS = 2 ** 31;
const MOST_THREADS = 20_000_000;

function spanOf(groups: Groups, group: number): MatchSpan | null {
  const [start, end] = [groups[2 * group], groups[2 * group + 1]];
  return start === undefined || end === undefined || end < start ? null : { start, end };
}

function isSame(one: number, other: number, ignoreCase: boolean): boolean {
  return one === other || (ignoreCase && lower(one) === lower(other));
}

function lower(code: number): number {
  const text = String.fromCodePoint(code).toLowerCase();
  return text.length === (code > 0xffff ? 2 : 1) ? (text.codePointAt(0) ?? code) : code;
}
