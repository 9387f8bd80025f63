import type { JsonObject } from "../../domain/json.ts";
import type { Usage } from "../../domain/run.ts";
import type { Rate } from "../../domain/summary.ts";
import type { QuerySummary } from "../../domain/triggers.ts";
import { passedOf } from "../../improve/description/attempt.ts";
import { comparisonText, isImproved, passRate } from "../../improve/description/fresh.ts";
import { exitText } from "../../improve/description/loop-file.ts";
import type { Exit, FreshTest, Optimised } from "../../improve/description/optimise.ts";
import type { Adoption } from "./adopt.ts";
import type { SkillChange } from "./change.ts";
import type { CallSpending } from "./spending.ts";

export interface DescriptionFound {
  /** In the order in which they were tried; the first is the original. */
  readonly tried: readonly TriedDescription[];
  readonly exit: Exit;
  /** The same as a line, as the file has it. */
  readonly exitReason: string;
  /** Null: it ended before the fresh test. */
  readonly fresh: FreshRates | null;
  /** Of the proposals. */
  readonly usage: Usage;
  /** What the results folder keeps about it, in skill-creator's shape. */
  readonly file: JsonObject;
  readonly change: SkillChange;
  readonly adoption: Adoption;
  /** Of this call alone, the proposals included. */
  readonly spending: CallSpending;
}

export interface TriedDescription {
  readonly description: string;
  readonly train: Counted;
  readonly validation: Counted;
  readonly isChosen: boolean;
}

interface Counted {
  readonly passed: number;
  readonly total: number;
}

/** What the queries show that nothing was chosen by. */
export interface FreshRates {
  readonly original: Rate;
  /** Null: the original was chosen. */
  readonly chosen: { readonly rate: Rate; readonly isImproved: boolean; readonly explanation: string } | null;
}

/** A loop that is over, in numbers. */
export function summedUp(
  { attempts, best, exit, fresh, usage }: Optimised,
  rounds: number,
): Omit<DescriptionFound, "file" | "change" | "adoption" | "spending"> {
  return {
    tried: attempts.map((attempt) => ({
      description: attempt.description,
      train: counted(attempt.train),
      validation: counted(attempt.validation),
      isChosen: attempt === best,
    })),
    exit,
    exitReason: exitText(exit, { tried: attempts.length, rounds }),
    fresh: fresh === null ? null : freshRates(fresh),
    usage,
  };
}

function counted(queries: readonly QuerySummary[]): Counted {
  return { passed: passedOf(queries), total: queries.length };
}

function freshRates(fresh: FreshTest): FreshRates {
  const { original, best, comparison } = fresh;
  const chosen =
    comparison === null
      ? null
      : { rate: passRate(best), isImproved: isImproved(fresh), explanation: comparisonText(comparison) };
  return { original: passRate(original), chosen };
}
