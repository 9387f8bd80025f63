import type { Check } from "../../domain/check.ts";
import { sumUsage } from "../../domain/usage.ts";
import type { CheckOf } from "../code-grader.ts";
import { judgeCriteria, type Opinion } from "../criteria/judge-criteria.ts";
import type { Reviewed } from "../criteria/review.ts";
import { type Decision, toVerdict, unscored, withoutOutput } from "../decision.ts";
import { evidenceBudget } from "../evidence/context-window.ts";
import { type EvidencePack, evidencePacks } from "../evidence/pack.ts";
import type { Graded, Grader } from "../grader.ts";
import type { Judge } from "../judge.ts";
import { NO_JUDGE } from "../no-judge.ts";
import { panelVerdicts } from "../panel.ts";
import type { Subject } from "../subject.ts";

export interface CriteriaParts {
  /** None: criteria stay unscored. Several: their majority decides. */
  readonly judges: readonly Judge[];
  /** How often each judge is asked the same. */
  readonly runs?: number;
  /** Tokens that the judges take at once, where somebody said so; absent or null: by their names. */
  readonly contextTokens?: number | null;
  /** Characters of evidence in one question; absent: by the judges' context. */
  readonly budgetChars?: number;
}

/** Statements that only a reader can decide: one question per run and judge for all of them. */
export function criteriaGrader(options: CriteriaParts): Grader<CheckOf<"criterion">> {
  return {
    name: "criteria",
    needs: "model",
    decides: (check): check is CheckOf<"criterion"> => check.kind === "criterion",
    async grade(checks, subject, signal) {
      const { output } = subject;
      if (output.status === "missing" && subject.case.output.kind === "files") {
        return all(checks, subject, withoutOutput(output));
      }
      if (options.judges.length === 0) return all(checks, subject, unscored(NO_JUDGE));
      const statements = checks.map((check) => check.text);
      // All judges of a panel are shown the same.
      const images = options.judges.every((judge) => judge.takesImages ?? false);
      const budgetChars =
        options.budgetChars ?? evidenceBudget(options.judges, options.contextTokens ?? null);
      const packs = await evidencePacks(subject, { statements, images, budgetChars });
      const shown = [packs.first];
      const parts = (): readonly EvidencePack[] => {
        const all = packs.parts();
        shown.push(...all);
        return all;
      };
      const brief = {
        checks,
        pack: packs.first,
        parts,
        expectedOutput: subject.case.expectedOutput,
      };
      const runs = Math.max(1, options.runs ?? 1);
      const opinions = await Promise.all(
        options.judges.map((judge, place) => {
          const first = runs * sameBefore(options.judges, place);
          const repetitions = Array.from({ length: runs }, (_, run) => first + run);
          return Promise.all(
            repetitions.map((repetition) => judgeCriteria(judge, { ...brief, repetition }, signal)),
          );
        }),
      );
      return { ...graded(checks, subject, opinions, options.judges), ...addressedIn(shown) };
    },
  };
}

/** Each passage once, though it was shown in several questions. */
function addressedIn(packs: readonly EvidencePack[]): Pick<Graded, "addressed"> {
  const all = new Map(
    packs.flatMap(({ addressed }) => addressed).map((one) => [JSON.stringify([one.source, one.text]), one]),
  );
  return all.size === 0 ? {} : { addressed: [...all.values()] };
}

/** A model that sits on the panel more than once is to think anew each time, not to be remembered. */
function sameBefore(judges: readonly Judge[], place: number): number {
  const { name, model } = judges[place] ?? {};
  return judges.slice(0, place).filter((judge) => judge.name === name && judge.model === model).length;
}

function graded(
  checks: readonly Check[],
  subject: Subject,
  opinions: readonly (readonly Opinion[])[],
  judges: readonly Judge[],
): Graded {
  const { byCheck, agreement } = panelVerdicts(
    opinions,
    checks.map((check) => check.id),
  );
  const every = opinions.flat();
  const cached = every.some((opinion) => opinion.cached) ? ({ cached: true } as const) : {};
  return {
    verdicts: checks.map((check) => {
      const reviewed = byCheck.get(check.id);
      const score = reviewed !== undefined && "score" in reviewed ? reviewed.score : null;
      return { ...toVerdict(check, subject, decisionOf(reviewed)), score, ...cached };
    }),
    claims: every[0]?.claims ?? [],
    evalFeedback: every.find((opinion) => opinion.evalFeedback !== null)?.evalFeedback ?? null,
    judgeModel: [...new Set(judges.map((judge) => judge.model))].join(", "),
    usage: sumUsage(every.map((opinion) => opinion.usage)),
    ...(agreement === null ? {} : { agreement }),
  };
}

function decisionOf(reviewed: Reviewed | undefined): Decision {
  switch (reviewed?.status) {
    case "passed":
    case "failed":
      return { status: reviewed.status, reason: reviewed.reason, evidence: reviewed.evidence };
    case "unreadable":
      return unscored(reviewed.reason);
    case "unsupported":
      return unscored(reviewed.problem);
    case undefined:
      return unscored("the judge gave no verdict on it");
  }
}

function all(checks: readonly Check[], subject: Subject, decision: Decision): Graded {
  return { verdicts: checks.map((check) => toVerdict(check, subject, decision)) };
}
