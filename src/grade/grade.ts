import type { Check } from "../domain/check.ts";
import { kindOf } from "../domain/checks/index.ts";
import { SOURCES } from "../domain/checks/source.ts";
import type { CheckedClaim, EvalFeedback, Grading } from "../domain/grading.ts";
import { countsAs, type Outcome } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import { sumUsage } from "../domain/usage.ts";
import type { Verdict } from "../domain/verdict.ts";
import { groupBy } from "../lib/group-by.ts";
import { onWholeEvidence } from "./cut-evidence.ts";
import { failed, toVerdict, unscored } from "./decision.ts";
import type { Graded, Grader } from "./grader.ts";
import { userNotesOf } from "./user-notes.ts";
import type { Subject } from "./subject.ts";

export interface GradeParts {
  /** Each check goes to the first that decides it. */
  readonly graders: readonly Grader[];
  readonly now: () => Date;
}

/**
 * Every check of the case that applies gets at least one verdict unless there was nothing to hold it against, in the order
 * of the checks. A run that is left out gets none. Rejects only on abort: what a grader cannot do leaves its own checks
 * unscored.
 */
export async function gradeRun(subject: Subject, parts: GradeParts, signal: AbortSignal): Promise<Grading> {
  const startedAt = parts.now().toISOString();
  const startedMs = performance.now();
  const checks = subject.case.checks.filter((check) => applies(check, subject.trial));
  const graded = await gradeChecks(checks, subject, parts.graders, signal);
  signal.throwIfAborted();
  const userNotes = await userNotesOf(subject);
  return {
    trialId: subject.trial.id,
    verdicts: inOrder(checks, subject, graded),
    claims: graded.flatMap((one): readonly CheckedClaim[] => one.claims ?? []),
    evalFeedback: joinFeedback(graded.flatMap((one) => one.evalFeedback ?? [])),
    judgeModel: graded.find((one) => (one.judgeModel ?? null) !== null)?.judgeModel ?? null,
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    usage: sumUsage(graded.flatMap((one) => one.usage ?? [])),
    ...(userNotes === null ? {} : { userNotes }),
    ...beside(graded),
  };
}

function beside(graded: readonly Graded[]): Pick<Grading, "extraction" | "agreement" | "addressed"> {
  const extraction = graded.find((one) => one.extraction !== undefined)?.extraction;
  const agreement = graded.find((one) => one.agreement !== undefined)?.agreement;
  const addressed = graded.flatMap((one) => one.addressed ?? []);
  return {
    ...(extraction === undefined ? {} : { extraction }),
    ...(agreement === undefined ? {} : { agreement }),
    ...(addressed.length === 0 ? {} : { addressed }),
  };
}

/** Where no skill is installed, nothing about the skill can hold. */
function applies(check: Check, { variant }: Trial): boolean {
  return check.appliesTo === "every-variant" || (variant !== "without_skill" && variant !== "inline");
}

async function gradeChecks(
  checks: readonly Check[],
  subject: Subject,
  graders: readonly Grader[],
  signal: AbortSignal,
): Promise<readonly Graded[]> {
  const { outcome } = subject.run;
  switch (countsAs(outcome)) {
    case "left-out":
      return [{ verdicts: [] }];
    case "failed": {
      const decision = failed(`the run ${outcomeText(outcome)}`, [
        { kind: "outcome", text: outcomeText(outcome) },
      ]);
      return [{ verdicts: checks.map((check) => toVerdict(check, subject, decision)) }];
    }
    case "graded":
      break;
  }
  const unknown = checks.flatMap((check) => {
    const why = whyUnknown(check, subject);
    return why === null ? [] : [{ check, verdict: toVerdict(check, subject, unscored(why)) }];
  });
  const known = checks.filter((check) => !unknown.some((one) => one.check === check));
  const deciders = new Map(known.map((check) => [check, deciderOf(check, graders)]));
  const graded: Graded[] = [{ verdicts: unknown.map(({ verdict }) => verdict) }];
  for (const needs of CHEAPEST_FIRST) {
    const asked = graders.filter((grader) => grader.needs === needs);
    const found = asked.map((grader) => {
      const own = known.filter((check) => deciders.get(check) === grader);
      return askGrader(grader, own, subject, signal);
    });
    graded.push(...(await Promise.all(found)));
    signal.throwIfAborted();
  }
  return graded;
}

/** Why nothing is known that the check could be decided on; null: something is. */
function whyUnknown(check: Check, { only, run }: Subject): string | null {
  const { needs, text } = SOURCES[kindOf(check).reads];
  if (needs === null) return null;
  if (only === "output") return "only a captured output is graded, so nothing is known about the run";
  return run.unkept?.some((one) => one === needs) === true
    ? `the tool that ran it did not keep ${text}`
    : null;
}

/** One that breaks when it is asked about a check has the check, and breaks again when it is to decide it. */
function deciderOf(check: Check, graders: readonly Grader[]): Grader | undefined {
  return graders.find((one) => {
    try {
      return one.decides(check);
    } catch {
      return true;
    }
  });
}

const CHEAPEST_FIRST = ["code", "network", "model"] as const;

async function askGrader(
  grader: Grader,
  checks: readonly Check[],
  subject: Subject,
  signal: AbortSignal,
): Promise<Graded> {
  if (checks.length === 0) return { verdicts: [] };
  try {
    // One that broke when it was asked about a check breaks here again, and so says why.
    for (const check of checks) grader.decides(check);
    const graded: unknown = await grader.grade(checks, subject, signal);
    if (isGraded(graded)) return graded;
    throw new Error("it returned no verdicts");
  } catch (error) {
    signal.throwIfAborted();
    const decision = unscored(`the ${grader.name} grader failed: ${String(error)}`);
    return { verdicts: checks.map((check) => toVerdict(check, subject, decision)) };
  }
}

/** A grader of the user's own may be plain JavaScript. */
function isGraded(value: unknown): value is Graded {
  return Array.isArray((value as Partial<Graded> | null | undefined)?.verdicts);
}

function inOrder(checks: readonly Check[], subject: Subject, graded: readonly Graded[]): readonly Verdict[] {
  if (countsAs(subject.run.outcome) === "left-out") return [];
  const byCheck = groupBy(
    graded.flatMap((one) => one.verdicts),
    ({ checkId }) => checkId,
  );
  const idle = new Set(graded.flatMap((one) => one.idle ?? []));
  return checks.flatMap((check) => {
    const verdicts = byCheck.get(check.id);
    if (verdicts === undefined && idle.has(check.id)) return [];
    if (verdicts !== undefined)
      return verdicts.map((verdict) => onWholeEvidence(withEvidence(verdict), check, subject.run));
    return [toVerdict(check, subject, unscored(undecided(check)))];
  });
}

function undecided(check: Check): string {
  return check.kind === "custom"
    ? `no grader ${JSON.stringify(check.grader)} is loaded; add it to a config passed with --config`
    : `no grader here decides checks of the kind ${check.kind}`;
}

/** A verdict that shows nothing decides nothing. */
function withEvidence(verdict: Verdict): Verdict {
  if (verdict.status === "unscored" || verdict.evidence.length > 0) return verdict;
  return {
    ...verdict,
    status: "unscored",
    score: null,
    reason: `no evidence was given for "${verdict.status}": ${verdict.reason}`,
  };
}

function joinFeedback(feedback: readonly EvalFeedback[]): EvalFeedback | null {
  if (feedback.length === 0) return null;
  return {
    suggestions: feedback.flatMap((one) => one.suggestions),
    overall: feedback
      .map((one) => one.overall)
      .filter((overall) => overall !== "")
      .join("\n"),
  };
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.status) {
    case "completed":
      return "completed";
    case "timed-out":
      return `timed out after ${Math.round(outcome.afterMs / 100) / 10} s`;
    case "interactive":
      return outcome.cause === "question"
        ? `stopped to ask a question: ${outcome.message}`
        : `ended while a background task was still running: ${outcome.message}`;
    case "max-turns":
      return `used up its turns: ${outcome.message}`;
    default:
      return `${outcome.status}: ${outcome.message}`;
  }
}
