import type { Outcome } from "../domain/run.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { Verdict } from "../domain/verdict.ts";
import { fileOf, type OpenTest, type TestRun } from "../operations/testing.ts";

/** One run of an agent with the skill at hand: what it said, what it did, what it left. */
export class SkillRun {
  readonly skill: string;
  readonly #made: TestRun;
  readonly #test: OpenTest;

  constructor(made: TestRun, test: OpenTest, skill: string) {
    this.#made = made;
    this.#test = test;
    this.skill = skill;
  }

  /** The agent's answer, or the output file that the case declares; null: there is none. */
  get output(): string | null {
    return this.#made.output;
  }

  get outcome(): Outcome {
    return this.#made.run.outcome;
  }

  /** Paths of the workspace that the agent created or modified. */
  get files(): readonly string[] {
    return this.#made.run.changes.filter(({ change }) => change !== "deleted").map(({ path }) => path);
  }

  /** The text of a file that the agent created or modified; null: it did not, or it was too large to keep. */
  file(path: string): string | null {
    return fileOf(this.#made, path);
  }

  /** How often each tool was called. */
  get toolCalls(): Readonly<Record<string, number>> {
    return this.#made.run.toolCalls;
  }

  /** How the agent came to the skill: by its own choice, or because it was told; empty: it did not. */
  get activations(): readonly ("chosen" | "told")[] {
    return this.#made.run.activations
      .filter(({ skill }) => isSameSkill(skill, this.skill))
      .map(({ by }) => (by === "invocation" ? "told" : "chosen"));
  }

  /** Null: not known. */
  get costUsd(): number | null {
    return this.#made.run.usage.costUsd;
  }

  get durationMs(): number | null {
    return this.#made.run.durationMs;
  }

  /** Of the checks that it was run with. */
  get verdicts(): readonly Verdict[] {
    return this.#made.grading?.verdicts ?? [];
  }

  /** Its folder in the results, absolute. */
  get folder(): string {
    return this.#made.folder;
  }

  /** Holds the run to further checks; they are kept with it, unless it is not to pass them. */
  check(
    checks: readonly unknown[],
    how: { readonly kept: boolean } = { kept: true },
  ): Promise<readonly Verdict[]> {
    return this.#test.check(this.#made, checks, how);
  }
}
