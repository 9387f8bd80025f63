import { type KindReading, kindOf } from "../../domain/checks/index.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { SafeRegex } from "../../lib/safe-regex/safe-regex.ts";
import type { CheckOf } from "../code-grader.ts";
import { toVerdict, unscored, withoutOutput } from "../decision.ts";
import { extract } from "../extraction/extract.ts";
import { extractionVerdicts } from "../extraction/verdicts.ts";
import type { Grader } from "../grader.ts";
import type { Judge } from "../judge.ts";
import { NO_JUDGE } from "../no-judge.ts";

type ExtractionCheck = CheckOf<KindReading<"sections">>;

/** A model copies the declared sections out of the output, once per run; code decides everything about them. */
export function extractionGrader({
  judge,
  regex,
}: {
  /** Null: these checks stay unscored. */
  readonly judge: Judge | null;
  readonly regex: SafeRegex;
}): Grader<ExtractionCheck> {
  return {
    name: "extraction",
    needs: "model",
    decides: (check): check is ExtractionCheck => kindOf(check).reads === "sections",
    async grade(checks, subject, signal) {
      const { output } = subject;
      if (output.status !== "present") {
        const decision = withoutOutput(output);
        return { verdicts: checks.map((check) => toVerdict(check, subject, decision)) };
      }
      if (judge === null) {
        return { verdicts: checks.map((check) => toVerdict(check, subject, unscored(NO_JUDGE))) };
      }
      const extracted = await extract(judge, subject.case.sections, output, signal);
      const verdicts: (readonly Verdict[])[] = [];
      for (const check of checks) verdicts.push(await extractionVerdicts(check, subject, extracted, regex));
      return {
        verdicts: extracted.cached ? verdicts.flat().map(cached) : verdicts.flat(),
        judgeModel: judge.model,
        usage: extracted.extraction.usage,
        extraction: extracted.extraction,
        idle: checks.filter((_, index) => verdicts[index]?.length === 0).map((check) => check.id),
      };
    },
  };
}

function cached(verdict: Verdict): Verdict {
  return { ...verdict, cached: true };
}
