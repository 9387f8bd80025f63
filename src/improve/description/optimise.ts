import type { QuerySummary } from "../../domain/triggers.ts";
import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import type { Judge } from "../../grade/judge.ts";
import { caseRunsOf } from "../../stats/case-runs.ts";
import { compareOnTheseCases, type TheseCases } from "../../stats/these-cases.ts";
import type { Split } from "../../triggers/split.ts";
import { type DescriptionAttempt, bestAttempt, failedOf } from "./attempt.ts";
import { descriptionQuestion } from "./question.ts";

/** What asking queries with a description installed gave. */
export type Probed =
  | { readonly status: "probed"; readonly queries: readonly QuerySummary[] }
  /** Nothing more can be learnt now. */
  | {
      readonly status: "stopped";
      readonly why: "interrupted" | "budget" | "invalid";
      readonly message: string;
    };

export interface OptimiseParts {
  readonly judge: Judge;
  /** Called again with the same words, it costs nothing. */
  readonly probe: (description: string, part: "learn" | "test") => Promise<Probed>;
  /** Told after each step, to be kept: a later call gets the descriptions back as `remembered`. */
  readonly keep: (progress: Progress) => Promise<void>;
}

export interface OptimiseInput {
  readonly skillName: string;
  readonly skillText: string;
  readonly original: string;
  readonly split: Split;
  /** Descriptions to try, the original included. */
  readonly rounds: number;
  /** What an earlier call proposed, in order; it is not asked for again. */
  readonly remembered: readonly string[];
}

export interface Progress {
  readonly exit: Exit | null;
  readonly attempts: readonly DescriptionAttempt[];
  readonly best: DescriptionAttempt | null;
  readonly fresh: FreshTest | null;
  readonly usage: Usage;
}

/** A loop that is over. */
export interface Optimised extends Progress {
  readonly exit: Exit;
}

export type Exit =
  | { readonly kind: "all-passed" | "rounds" }
  | {
      readonly kind: "stopped";
      readonly why: (Probed & { status: "stopped" })["why"];
      readonly message: string;
    }
  | { readonly kind: "unanswered"; readonly message: string };

/** What the queries that nothing was chosen by say. */
export interface FreshTest {
  readonly original: readonly QuerySummary[];
  /** The same as `original` where no other description was chosen. */
  readonly best: readonly QuerySummary[];
  /** Run by run within each query; null where there is nothing to compare. */
  readonly comparison: TheseCases | null;
}

/** Tries descriptions, chooses one by validation, and looks at the fresh test once, at the end. */
export async function optimiseDescription(
  input: OptimiseInput,
  parts: OptimiseParts,
  signal: AbortSignal,
): Promise<Optimised> {
  const attempts: DescriptionAttempt[] = [];
  let usage = UNKNOWN_USAGE;
  const end = async (exit: Exit, fresh: FreshTest | null = null): Promise<Optimised> => {
    const progress = { exit, attempts, best: bestOf(attempts), fresh, usage };
    await parts.keep(progress);
    return progress;
  };
  let description = input.original;
  let exit: Exit = { kind: "rounds" };
  for (let round = 1; ; round++) {
    const probed = await parts.probe(description, "learn");
    if (probed.status === "stopped") return end({ kind: "stopped", ...reasonOf(probed) });
    attempts.push(attemptOf(description, probed.queries, input.split));
    await parts.keep({ exit: null, attempts, best: bestOf(attempts), fresh: null, usage });
    if (failedOf(attempts.at(-1)?.train ?? []).length === 0) {
      exit = { kind: "all-passed" };
      break;
    }
    if (round >= input.rounds) break;
    const next = input.remembered[round - 1] ?? (await ask(attempts, input, parts, signal));
    if (typeof next !== "string") {
      usage = addUsage(usage, next.usage);
      if (next.description === null) {
        exit = { kind: "unanswered", message: next.reason };
        break;
      }
      description = next.description;
    } else description = next;
  }
  const best = bestOf(attempts) ?? attempts[0];
  if (best === undefined) throw new Error("nothing was tried");
  const fresh = await freshTest(input.original, best.description, parts.probe);
  return "status" in fresh ? end({ kind: "stopped", ...reasonOf(fresh) }) : end(exit, fresh);
}

function bestOf([first, ...others]: readonly DescriptionAttempt[]): DescriptionAttempt | null {
  return first === undefined ? null : bestAttempt([first, ...others]);
}

function reasonOf({ why, message }: Probed & { status: "stopped" }) {
  return { why, message };
}

function attemptOf(description: string, queries: readonly QuerySummary[], split: Split): DescriptionAttempt {
  const among = (part: Split["train"]) => {
    const ids = new Set(part.map(({ id }) => id));
    return queries.filter(({ caseId }) => ids.has(caseId));
  };
  return { description, train: among(split.train), validation: among(split.validation) };
}

async function ask(
  attempts: readonly DescriptionAttempt[],
  { skillName, skillText }: OptimiseInput,
  { judge }: OptimiseParts,
  signal: AbortSignal,
): Promise<{ usage: Usage } & ({ description: string } | { description: null; reason: string })> {
  const [first, ...others] = attempts;
  if (first === undefined) throw new Error("nothing was tried before");
  const question = descriptionQuestion({ skillName, skillText, attempts: [first, ...others] });
  const answer = await judge.ask(question, signal);
  return answer.status === "answered"
    ? { usage: answer.usage, description: answer.value.description.trim() }
    : { usage: answer.usage, description: null, reason: answer.reason };
}

async function freshTest(
  original: string,
  best: string,
  probe: OptimiseParts["probe"],
): Promise<FreshTest | (Probed & { status: "stopped" })> {
  const before = await probe(original, "test");
  if (before.status === "stopped") return before;
  if (best === original) return { original: before.queries, best: before.queries, comparison: null };
  const after = await probe(best, "test");
  if (after.status === "stopped") return after;
  const runs = caseRunsOf(rightRuns(after.queries), rightRuns(before.queries));
  return { original: before.queries, best: after.queries, comparison: compareOnTheseCases(runs) };
}

/** Each valid run of each query: 1 when the skill did as it should. */
function rightRuns(queries: readonly QuerySummary[]): ReadonlyMap<string, readonly number[]> {
  return new Map(
    queries.map(({ caseId, shouldTrigger, fired }) => [
      caseId,
      Array.from({ length: fired.total }, (_, run) => Number(run < fired.passed === shouldTrigger)),
    ]),
  );
}
