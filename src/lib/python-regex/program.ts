import { type Edge, type Fold, PatternError, type PatternNode } from "./pattern.ts";
import { isSingle, singleTest, wordTest } from "./single.ts";
import { type Width, widthOf } from "./width.ts";

/** A pattern as steps for the matcher. Every `SPLIT` has a number of its own, by which what failed is remembered. */
export interface PatternProgram {
  readonly steps: readonly Step[];
  readonly splits: number;
  /** Nothing in it depends on what groups have matched: what failed at a place fails there again. */
  readonly forgetful: boolean;
  /** A lookbehind whose width is not fixed, which Python refuses. */
  readonly variableLookbehind: boolean;
}

export type Step =
  | { readonly op: "char"; readonly test: (code: number) => boolean }
  /** More of one character than are worth steps of their own. */
  | {
      readonly op: "run";
      readonly test: (code: number) => boolean;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly op: "edge"; readonly edge: Edge; readonly word: (code: number) => boolean }
  /** Goes on at `first`; at `second` when that comes to nothing. */
  | { readonly op: "split"; first: number; second: number; readonly id: number }
  | { readonly op: "jump"; to: number }
  /** A round that may match nothing begins. */
  | { readonly op: "round"; readonly loop: number }
  /** It has ended: one that did match nothing was the last. */
  | { readonly op: "again"; readonly loop: number; readonly to: number; exit: number }
  | { readonly op: "save"; readonly slot: number }
  | { readonly op: "reference"; readonly group: number; readonly fold: Fold }
  | { readonly op: "conditional"; readonly group: number; no: number }
  | {
      readonly op: "look";
      readonly behind: boolean;
      readonly negated: boolean;
      readonly width: Width;
      next: number;
    }
  | { readonly op: "atomic"; next: number }
  | { readonly op: "accept" };

export function toProgram(node: PatternNode): PatternProgram {
  const builder = new Builder();
  builder.add(node);
  builder.steps.push({ op: "accept" });
  const { steps, splits, forgetful, variableLookbehind } = builder;
  return { steps, splits, forgetful, variableLookbehind };
}

const MOST_STEPS = 200_000;
/** Rounds are told apart by bits of a number. */
const MOST_ROUNDS = 30;
/** Beyond this many, characters in a row are counted rather than spelled out. */
const MOST_SPELLED = 1000;

class Builder {
  readonly steps: Step[] = [];
  splits = 0;
  forgetful = true;
  variableLookbehind = false;
  #rounds = 0;
  readonly #widths = new Map<number, Width>();

  add(node: PatternNode): void {
    if (this.steps.length > MOST_STEPS) throw new PatternError("the pattern is too large", 0);
    switch (node.kind) {
      case "sequence":
        for (const part of node.parts) this.add(part);
        return;
      case "choice":
        this.#choice(node.branches);
        return;
      case "literal":
      case "any":
      case "set":
        this.steps.push({ op: "char", test: singleTest(node) });
        return;
      case "edge":
        this.steps.push({ op: "edge", edge: node.edge, word: wordTest(node.ascii) });
        return;
      case "group":
        this.#group(node);
        return;
      case "atomic":
        this.#atomic(() => this.add(node.body));
        return;
      case "look":
        this.#look(node);
        return;
      case "backreference":
        this.forgetful = false;
        this.steps.push({ op: "reference", group: node.group, fold: node.fold });
        return;
      case "conditional":
        this.#conditional(node);
        return;
      case "repeat":
        if (node.mode === "possessive") this.#atomic(() => this.#repeat({ ...node, mode: "greedy" }));
        else this.#repeat(node);
        return;
    }
  }

  get #here(): number {
    return this.steps.length;
  }

  #split(): Step & { op: "split" } {
    const step = { op: "split" as const, first: 0, second: 0, id: this.splits };
    this.splits++;
    this.steps.push(step);
    return step;
  }

  #choice(branches: readonly PatternNode[]): void {
    const ends: (Step & { op: "jump" })[] = [];
    for (const [index, branch] of branches.entries()) {
      const split = index === branches.length - 1 ? null : this.#split();
      if (split !== null) split.first = this.#here;
      this.add(branch);
      if (split === null) continue;
      const end = { op: "jump" as const, to: 0 };
      this.steps.push(end);
      ends.push(end);
      split.second = this.#here;
    }
    for (const end of ends) end.to = this.#here;
  }

  #group({ number, body }: PatternNode & { kind: "group" }): void {
    if (number === null) {
      this.add(body);
      return;
    }
    this.steps.push({ op: "save", slot: 2 * number });
    this.add(body);
    this.steps.push({ op: "save", slot: 2 * number + 1 });
    widthOf({ kind: "group", number, body }, this.#widths);
  }

  #atomic(body: () => void): void {
    const step = { op: "atomic" as const, next: 0 };
    this.steps.push(step);
    body();
    this.steps.push({ op: "accept" });
    step.next = this.#here;
  }

  #look({ behind, negated, body }: PatternNode & { kind: "look" }): void {
    const width = behind ? widthOf(body, new Map(this.#widths)) : { min: 0, max: 0 };
    if (width.min !== width.max) this.variableLookbehind = true;
    const step = { op: "look" as const, behind, negated, width, next: 0 };
    this.steps.push(step);
    this.add(body);
    this.steps.push({ op: "accept" });
    step.next = this.#here;
  }

  #conditional({ group, yes, no }: PatternNode & { kind: "conditional" }): void {
    this.forgetful = false;
    const step = { op: "conditional" as const, group, no: 0 };
    this.steps.push(step);
    this.add(yes);
    const end = { op: "jump" as const, to: 0 };
    this.steps.push(end);
    step.no = this.#here;
    this.add(no);
    end.to = this.#here;
  }

  #repeat({ body, min, max, mode }: PatternNode & { kind: "repeat" }): void {
    const greedy = mode === "greedy";
    const most = max === Infinity ? min : max;
    if (isSingle(body) && most > MOST_SPELLED) {
      this.steps.push({ op: "run", test: singleTest(body), min, max, greedy });
      return;
    }
    const nullable = max > min && widthOf(body, new Map(this.#widths)).min === 0;
    for (let count = 0; count < min; count++) this.add(body);
    if (max === Infinity) this.#optional(body, { greedy, nullable, endless: true });
    else {
      const exits: (() => void)[] = [];
      for (let count = min; count < max; count++)
        exits.push(this.#optional(body, { greedy, nullable, endless: false }));
      for (const exit of exits) exit();
    }
  }

  /** One more round, or as many as there are; what is returned says where it goes on after none. */
  #optional(
    body: PatternNode,
    { greedy, nullable, endless }: { greedy: boolean; nullable: boolean; endless: boolean },
  ): () => void {
    const start = this.#here;
    const split = this.#split();
    const inside = this.#here;
    const loop = nullable ? this.#rounds++ : 0;
    if (nullable) this.steps.push({ op: "round", loop });
    this.add(body);
    const to = endless ? start : -1;
    const end: Step | null = nullable
      ? { op: "again", loop, to: endless ? start : this.#here + 1, exit: 0 }
      : endless
        ? { op: "jump", to }
        : null;
    if (end !== null) this.steps.push(end);
    if (this.#rounds > MOST_ROUNDS) throw new PatternError("too many repetitions that may match nothing", 0);
    const leave = (): void => {
      const exit = this.#here;
      split.first = greedy ? inside : exit;
      split.second = greedy ? exit : inside;
      if (end?.op === "again") end.exit = exit;
    };
    if (endless) leave();
    return leave;
  }
}
