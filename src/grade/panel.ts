import type { JudgeAgreement } from "../domain/grading.ts";
import { krippendorffAlpha, pairAgreement } from "../stats/agreement.ts";
import type { Opinion } from "./criteria/judge-criteria.ts";
import type { Reviewed } from "./criteria/review.ts";

/** What several judges, each asked one or more times, came to together. */
export interface PanelVerdicts {
  /** By check id. */
  readonly byCheck: ReadonlyMap<string, Reviewed>;
  /** Null when there was only one opinion. */
  readonly agreement: JudgeAgreement | null;
}

/** Each judge's own majority is its vote, and the majority of votes decides; half against half decides nothing. */
export function panelVerdicts(
  judges: readonly (readonly Opinion[])[],
  checkIds: readonly string[],
): PanelVerdicts {
  const byCheck = new Map<string, Reviewed>();
  const between: (string | null)[][] = [];
  const within: (string | null)[][] = [];
  for (const id of checkIds) {
    const votes = judges.map((opinions) => {
      const repeated = opinions.map((opinion) => opinion.byCheck.get(id) ?? NO_VERDICT);
      within.push(repeated.map(statusOf));
      return majority(repeated, "runs of the judge");
    });
    between.push(votes.map(statusOf));
    byCheck.set(id, majority(votes, "judges"));
  }
  const runs = Math.max(0, ...judges.map((opinions) => opinions.length));
  if (judges.length * runs < 2) return { byCheck, agreement: null };
  return {
    byCheck,
    agreement: {
      judges: judges.length,
      runs,
      betweenJudges: pairAgreement(between),
      alpha: krippendorffAlpha(between),
      withinJudges: pairAgreement(within),
    },
  };
}

const NO_VERDICT: Reviewed = { status: "unsupported", problem: "no verdict was given" };

/** Those without a verdict abstain; when most do, there is none. */
function majority(votes: readonly Reviewed[], voters: string): Reviewed {
  const [only] = votes;
  if (votes.length === 1 && only !== undefined) return only;
  const passed = votes.flatMap((vote) => (vote.status === "passed" ? [vote] : []));
  const failed = votes.flatMap((vote) => (vote.status === "failed" ? [vote] : []));
  const [winners, others] = passed.length > failed.length ? [passed, failed] : [failed, passed];
  const [first] = winners;
  const count = `${winners.length} of ${votes.length} ${voters}`;
  if (first === undefined || 2 * (winners.length + others.length) <= votes.length) {
    return votes.find((vote) => vote.status === "unreadable") ?? noMajority(votes, voters);
  }
  if (winners.length === others.length) {
    return {
      status: "unsupported",
      problem: `no majority: ${winners.length} of ${votes.length} ${voters} passed it, and as many failed it`,
    };
  }
  const scores = winners.flatMap((vote) => vote.score ?? []);
  return {
    status: first.status,
    evidence: first.evidence,
    reason: `${first.reason} (${count} say so)`.trim(),
    score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
  };
}

function noMajority(votes: readonly Reviewed[], voters: string): Reviewed {
  const problem = votes.flatMap((vote) => (vote.status === "unsupported" ? [vote.problem] : []))[0];
  return { status: "unsupported", problem: `too few ${voters} reached a verdict: ${problem ?? "none did"}` };
}

function statusOf(vote: Reviewed): string | null {
  return vote.status === "passed" || vote.status === "failed" ? vote.status : null;
}
