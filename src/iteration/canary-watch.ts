import { CANARY_ID } from "../domain/canary.ts";
import type { EventOf } from "../domain/event.ts";
import { countsAs } from "../domain/run.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { Trial } from "../domain/trial.ts";

type Finished = Pick<EventOf<"trial-finished">, "trial" | "run">;

/**
 * Knows when asking trigger queries is of no use any more: every canary among `trials` has answered, and none fired. Where
 * no canary is among them, as when a call goes on after that, it never does.
 */
export class CanaryWatch {
  readonly #open: Set<string>;
  #isSilent: boolean;

  constructor(trials: readonly Trial[]) {
    this.#open = new Set(trials.filter(({ caseId }) => caseId === CANARY_ID).map(({ id }) => id));
    this.#isSilent = this.#open.size > 0;
  }

  /** `probe` is the name that the skill was installed under. */
  hear({ trial, run }: Finished, probe: string | null): void {
    if (!this.#open.delete(trial.id)) return;
    const isAnswer = countsAs(run.outcome) !== "left-out" || run.outcome.status === "invalid";
    const fired = run.activations.some(({ skill }) => probe !== null && isSameSkill(skill, probe));
    if (!isAnswer || fired) this.#isSilent = false;
  }

  get isSilent(): boolean {
    return this.#isSilent && this.#open.size === 0;
  }
}
