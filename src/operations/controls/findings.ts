import type { Claim } from "../../domain/check.ts";
import { kindOf } from "../../domain/checks/index.ts";
import { countsAs } from "../../domain/run.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { outcomeText, verdictText } from "../../report/text.ts";

/** What the controls showed about the checks. */
export interface Controls {
  /** Cases in which everything passes on a run that does nothing. */
  readonly passOnNothing: readonly { readonly suite: string; readonly caseId: string }[];
  /** Checks that ask for something, and pass on nothing. */
  readonly cannotFail: readonly ControlledCheck[];
  /** Checks that forbid something; they hold on nothing, as they should. */
  readonly guards: readonly ControlledCheck[];
  /** Checks that nobody could decide, on nothing or on a reference answer: whether they can fail is not known. */
  readonly undecided: readonly ControlledCheck[];
  readonly failOnReference: readonly ControlledCheck[];
  /** Checks of what an agent does, which a reference answer cannot show. */
  readonly notInReference: readonly ControlledCheck[];
  readonly notRun: readonly { readonly caseId: string; readonly why: string }[];
  readonly cases: number;
  readonly references: number;
  /** On a run that does nothing. */
  readonly checks: number;
  /** How many of them failed on it, as they should. */
  readonly failOnNothing: number;
  /** False where there was no judge for some of the checks. */
  readonly judged: boolean;
}

export interface ControlledCheck {
  readonly suite: string;
  readonly caseId: string;
  readonly checkId: string;
  readonly text: string;
  readonly why: string;
}

export function nothingFindings(reports: readonly IterationReport[], judged: boolean): Controls {
  const graded = reports.flatMap(controlled);
  const passing = graded.filter(({ verdict }) => verdict.status === "passed");
  const isGuard = ({ claim }: Controlled) => kindOf(claim).forbids(claim);
  const byCase = groupBy(graded, ({ check }) => JSON.stringify([check.suite, check.caseId]));
  return {
    ...EMPTY,
    passOnNothing: [...byCase.values()]
      .filter((ones) => ones.every(({ verdict }) => verdict.status === "passed"))
      .flatMap(([first]) =>
        first === undefined ? [] : [{ suite: first.check.suite, caseId: first.check.caseId }],
      ),
    cannotFail: passing.filter((one) => !isGuard(one)).map(({ check }) => check),
    guards: passing.filter(isGuard).map(({ check }) => check),
    undecided: undecided(graded),
    notRun: reports.flatMap(leftOut),
    cases: byCase.size,
    checks: graded.length,
    failOnNothing: graded.filter(({ verdict }) => verdict.status === "failed").length,
    judged,
  };
}

export function referenceFindings(reports: readonly IterationReport[]): Controls {
  const graded = reports.flatMap(controlled);
  const failing = graded.filter(({ verdict }) => verdict.status === "failed");
  const isDoing = ({ claim }: Controlled) => kindOf(claim).asksForDeed;
  return {
    ...EMPTY,
    failOnReference: failing.filter((one) => !isDoing(one)).map(({ check }) => check),
    notInReference: failing.filter(isDoing).map(({ check }) => check),
    undecided: undecided(graded),
    notRun: reports.flatMap(leftOut),
    references: reports.length,
  };
}

export function joinControls(parts: readonly Controls[]): Controls {
  return {
    passOnNothing: parts.flatMap((part) => part.passOnNothing),
    cannotFail: parts.flatMap((part) => part.cannotFail),
    guards: parts.flatMap((part) => part.guards),
    undecided: parts.flatMap((part) => part.undecided),
    failOnReference: parts.flatMap((part) => part.failOnReference),
    notInReference: parts.flatMap((part) => part.notInReference),
    notRun: parts.flatMap((part) => part.notRun),
    cases: sum(parts.map((part) => part.cases)),
    references: sum(parts.map((part) => part.references)),
    checks: sum(parts.map((part) => part.checks)),
    failOnNothing: sum(parts.map((part) => part.failOnNothing)),
    judged: parts.every((part) => part.judged),
  };
}

const EMPTY: Controls = {
  passOnNothing: [],
  cannotFail: [],
  guards: [],
  undecided: [],
  failOnReference: [],
  notInReference: [],
  notRun: [],
  cases: 0,
  references: 0,
  checks: 0,
  failOnNothing: 0,
  judged: true,
};

interface Controlled {
  readonly claim: Claim;
  readonly verdict: Verdict;
  readonly check: ControlledCheck;
}

function undecided(graded: readonly Controlled[]): ControlledCheck[] {
  return graded.filter(({ verdict }) => verdict.status === "unscored").map(({ check }) => check);
}

/** In the order of the cases. */
function controlled({ evaluated }: IterationReport): Controlled[] {
  const { suite } = evaluated.iteration;
  return evaluated.cases.flatMap((one) =>
    evaluated.trials
      .filter(({ caseId }) => caseId === one.id)
      .flatMap(({ id }) => evaluated.gradings.get(id)?.verdicts ?? [])
      .flatMap((verdict) => {
        const claim = one.checks.find((check) => check.id === verdict.checkId);
        const { checkId, text } = verdict;
        const check = { suite, caseId: one.id, checkId, text, why: verdictText(verdict) };
        return claim === undefined ? [] : [{ claim, verdict, check }];
      }),
  );
}

function leftOut({ evaluated }: IterationReport): { caseId: string; why: string }[] {
  return evaluated.trials.flatMap(({ id, caseId }) => {
    const outcome = evaluated.runs.get(id)?.run.outcome;
    if (outcome === undefined) return [{ caseId, why: "it was not run" }];
    return countsAs(outcome) === "left-out" ? [{ caseId, why: outcomeText(outcome) }] : [];
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
