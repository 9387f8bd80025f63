import type { AddressedPassage } from "../../domain/grading.ts";
import type { JsonObject } from "../../domain/json.ts";
import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import { evidencePack } from "../../grade/evidence/pack.ts";
import type { Judge } from "../../grade/judge.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { ComparisonFolder } from "../../store/layout.ts";
import { otherOf, sideOf } from "../assignment.ts";
import { type BlindOutcome, type PairOutcome, preferredOf } from "../outcome.ts";
import type { Contender, Pair } from "../pair.ts";
import { analysisFile } from "./analysis-file.ts";
import { analysisQuestion } from "./question.ts";
import type { AnalysisReply } from "./reply.ts";
import { reviewSuggestion, type Shown, type CheckedSuggestion } from "./review.ts";
import type { SkillFiles } from "./skill-files.ts";

export interface AnalysisRequest {
  readonly pairs: readonly Pair[];
  readonly outcome: BlindOutcome;
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
  readonly judge: Judge;
  readonly folder: ComparisonFolder;
  readonly mask: SecretMask;
}

export type AnalysisOutcome =
  | {
      readonly status: "written";
      readonly file: JsonObject;
      readonly suggestions: readonly CheckedSuggestion[];
      /** Suggestions that were dropped, each with why. */
      readonly dropped: readonly string[];
      /** What of the two runs speaks to the judge. */
      readonly addressed: readonly AddressedPassage[];
      readonly usage: Usage;
    }
  | { readonly status: "unanswered"; readonly reason: string; readonly usage: Usage };

/**
 * Asks why the judges prefer one, or what held both back. Suggestions whose event or line cannot be found are asked for once more
 * with the problem named, and then dropped.
 */
export async function analyze(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisOutcome> {
  const { outcome, skills, judge, folder, mask } = request;
  const telling = tellingPair(outcome);
  const pair = request.pairs[outcome.pairs.indexOf(telling)] as Pair;
  const preferred = preferredOf(outcome);
  const one = preferred ?? "first";
  const two = otherOf(one);
  const shown: Shown = {
    packs: [await packOf(pair, one), await packOf(pair, two)],
    skills: [skills[one], skills[two]],
  };
  const asked = { ...shown, case: pair.second.subject.case, decided: preferred !== null };
  const verdict = verdictText(telling, one);
  let usage = UNKNOWN_USAGE;
  let reply: AnalysisReply | null = null;
  let suggestions: readonly CheckedSuggestion[] = [];
  let problems: readonly string[] = [];
  for (let attempt = 1; attempt <= 2 && (attempt === 1 || problems.length > 0); attempt++) {
    const answer = await judge.ask(analysisQuestion({ ...asked, verdict, problems }), signal);
    usage = addUsage(usage, answer.usage);
    if (answer.status === "unanswered") {
      if (reply === null) return { status: "unanswered", reason: answer.reason, usage };
      break;
    }
    const reviewed = answer.value.suggestions.map((said) => reviewSuggestion(said, shown));
    reply = answer.value;
    suggestions = reviewed.flatMap((each) => (each.ok ? [each.suggestion] : []));
    problems = reviewed.flatMap((each) =>
      each.ok ? [] : [`${JSON.stringify(each.suggestion)}: ${each.problem}`],
    );
  }
  if (reply === null) throw new Error("an analysis was neither given nor refused");
  const file = analysisFile({
    outcome,
    telling,
    roles: [one, two],
    skills,
    reply,
    suggestions,
    dropped: problems,
    addressed: [shown.packs[0].addressed, shown.packs[1].addressed],
  });
  await writeFileAtomic(folder.analysis, `${JSON.stringify(mask.json(file), null, 2)}\n`);
  const addressed = shown.packs.flatMap((pack) => pack.addressed);
  return { status: "written", file, suggestions, dropped: problems, addressed, usage };
}

/** The pair that shows the outcome best: the widest margin for whom the judges prefer; after a tie, the widest at all. */
function tellingPair(outcome: BlindOutcome): PairOutcome {
  const preferred = preferredOf(outcome);
  const margin = ({ judgements, sides }: PairOutcome): number => {
    const differences = judgements.flatMap(({ verdict }) =>
      verdict === null ? [] : [verdict.rubric.B.overall_score - verdict.rubric.A.overall_score],
    );
    const sum = differences.reduce((total, difference) => total + difference, 0);
    if (preferred === null) return Math.abs(sum);
    return sideOf(sides, preferred) === "B" ? sum : -sum;
  };
  const [best] = outcome.pairs.toSorted((a, b) => margin(b) - margin(a));
  if (best === undefined) throw new Error("there is no pair to analyze");
  return best;
}

/** About 20,000 tokens for each run. */
const RUN_CHARS = 80_000;

function packOf(pair: Pair, who: Contender) {
  const { subject } = pair[who];
  const statements = subject.case.checks.map((check) => check.text);
  return evidencePack(subject, { statements, budgetChars: RUN_CHARS });
}

/** A and B mean nothing here, so they are called by their runs. */
function verdictText(telling: PairOutcome, one: Contender): string {
  const side = sideOf(telling.sides, one);
  const named = (text: string) =>
    text.replaceAll(/\boutput ([AB])\b/g, (_, of: string) => (of === side ? "run 1" : "run 2"));
  const lines = telling.judgements.flatMap(({ verdict }) =>
    verdict === null
      ? []
      : [
          `- ${verdict.winner === "TIE" ? "tie" : verdict.winner === side ? "run 1" : "run 2"}: ${named(verdict.reasoning)}`,
        ],
  );
  return lines.length === 0 ? "- nothing: the outputs are the same, or no judge could say" : lines.join("\n");
}
