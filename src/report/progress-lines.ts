import type { EvalEvent, EventOf } from "../domain/event.ts";
import type { Iteration } from "../domain/iteration.ts";
import { countsAs } from "../domain/run.ts";
import { plural } from "../lib/plural.ts";
import { isHeld } from "./held.ts";
import { limitText } from "./limit-text.ts";
import { iterationName } from "./iteration-name.ts";
import { type Look, type Mark, type PageLine, pageText } from "./page.ts";
import { outcomeText, trespassText } from "./text.ts";

/** A line for each trial that ended, and for what went wrong on the way. A coding agent gets only the latter. */
export class ProgressLines {
  /** By iteration: several may be at work at once. */
  readonly #counts = new Map<string, { planned: number; done: number }>();
  #limits = "";
  #saidLimits = "";
  readonly #write: (text: string) => void;
  readonly #look: Look;

  constructor(write: (text: string) => void, look: Look) {
    this.#write = write;
    this.#look = look;
  }

  hear(event: EvalEvent, iteration: Iteration): void {
    switch (event.kind) {
      case "iteration-started":
        this.#counts.set(keyOf(iteration), { planned: event.trials.length, done: 0 });
        if (!this.#look.brief)
          this.#say(
            `${iterationName(event.iteration)}: ${plural(event.trials.length, "trial")} with ${event.iteration.harness}${event.resumed ? ", resumed" : ""}`,
          );
        break;
      case "trial-finished":
        if (countsAs(event.run.outcome) !== "graded") this.#finished(event, iteration);
        this.#trespasses(event, iteration);
        if (event.run.teardownProblem !== null)
          this.#say(`  ${this.#named(event.trial.id, iteration)}: ${event.run.teardownProblem}`);
        break;
      case "verdicts-recorded":
        this.#graded(event, iteration);
        break;
      case "services-limited":
        this.#limits = limitText(event.limits);
        break;
      case "note":
        this.#say(`note: ${event.message}`);
        break;
      default:
        break;
    }
  }

  #finished({ trial, run, attempt }: EventOf<"trial-finished">, iteration: Iteration): void {
    const which = attempt === 1 ? "" : ` (attempt ${attempt})`;
    this.#say(`  ${this.#named(trial.id, iteration)}${which}: ${outcomeText(run.outcome)}`);
  }

  /** Only what is about secrets; `show` has the rest. */
  #trespasses({ trial, run }: EventOf<"trial-finished">, iteration: Iteration): void {
    const [first, ...rest] = run.trespasses.filter(({ kind }) => kind === "secret");
    if (first === undefined) return;
    const more = rest.length === 0 ? "" : ` (and ${rest.length} more: assay show)`;
    this.#say(`  ${this.#named(trial.id, iteration)}: ${trespassText(first)}${more}`);
  }

  #graded({ trial, grading: { verdicts } }: EventOf<"verdicts-recorded">, iteration: Iteration): void {
    const count = this.#counts.get(keyOf(iteration)) ?? { planned: 0, done: 0 };
    count.done++;
    if (this.#look.brief) return;
    const of = (wanted: string) => verdicts.filter(({ status }) => status === wanted).length;
    const rest = of("unscored") === 0 ? "" : `, ${of("unscored")} unscored`;
    const text = `${count.done}/${count.planned} ${this.#named(trial.id, iteration)}: ${of("passed")}/${verdicts.length} checks passed${rest}${this.#newLimits()}`;
    // What a skill is compared with may well fail; without symbols the counts say it all.
    const mark: Mark = of("failed") > 0 ? "failed" : of("unscored") > 0 ? "open" : "passed";
    const isMarked = this.#look.symbols && (mark === "passed" || isHeld(trial.variant, iteration));
    this.#say(isMarked ? { mark, text: `  ${text}` } : `  ${text}`);
  }

  /** Once, until there is something else to say. */
  #newLimits(): string {
    if (this.#limits === this.#saidLimits) return "";
    this.#saidLimits = this.#limits;
    return ` [${this.#limits}]`;
  }

  /** With the skill in front where several are at work. */
  #named(trialId: string, iteration: Iteration): string {
    return this.#counts.size > 1 ? `${iterationName(iteration)} ${trialId}` : trialId;
  }

  #say(line: PageLine): void {
    this.#write(pageText([line], this.#look));
  }
}

function keyOf({ suite, number }: Iteration): string {
  return `${suite}@${number}`;
}
