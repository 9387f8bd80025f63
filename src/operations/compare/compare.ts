import { analyze, type AnalysisOutcome } from "../../compare/analyze/analyze.ts";
import { compareBlind } from "../../compare/compare-blind.ts";
import { agreementWith, askPerson, type HumanAgreement, type HumanAnswer } from "../../compare/human.ts";
import type { BlindOutcome } from "../../compare/outcome.ts";
import { UserError } from "../../domain/user-error.ts";
import { EXIT } from "../../cli/exit.ts";
import { seatsFor } from "../../engine/models/judges.ts";
import { plural } from "../../lib/plural.ts";
import { markersOf } from "./markers.ts";
import { type Compared, comparedJson, comparedText } from "../../cli/render/comparison.ts";
import { type ComparedSides, readSides, type SidesCall } from "./sides.ts";

export interface CompareCall extends SidesCall {
  /** Shows a text to a person and gets one line. */
  readonly ask: (text: string) => Promise<string>;
}

/** Compares what two names stand for, prints it, and answers the exit code. */
export async function compareNamed(call: CompareCall, signal: AbortSignal): Promise<number> {
  const { options, machine } = call;
  const sides = await readSides(call, signal);
  if (typeof sides === "string") {
    machine.err("nothing was compared, because the versions were not run to the end; --resume goes on\n");
    return sides === "interrupted" ? EXIT.interrupted : EXIT.unfinished;
  }
  for (const note of sides.notes) machine.note(note);
  if (options.prompt !== null && sides.flips !== null)
    machine.note("--prompt is for two text files and is not used here");
  if (!hasSomething(sides, call)) {
    machine.err("nothing was compared, because no case has runs on both sides that count\n");
    return EXIT.unfinished;
  }
  const answers = options.human ? await askPerson(aroundPairs(sides, call)) : null;
  const blind = options.flipsOnly || sides.pairs.length === 0 ? null : await judge(sides, call, signal);
  const compared: Compared = {
    sides,
    blind,
    human: answers === null ? null : { answers, agreement: agreementOf(answers, blind) },
    analysis: options.analyze && blind !== null ? await explain(sides, { ...call, blind }, signal) : null,
  };
  machine.out(
    options.json ? `${JSON.stringify(comparedJson(compared), null, 2)}\n` : comparedText(compared, machine),
  );
  return exitCode(compared);
}

/** False where runs are missing that another call may bring. */
function hasSomething({ flips, pairs, uncompared }: ComparedSides, { options }: CompareCall): boolean {
  if (options.flipsOnly && flips === null) {
    throw new UserError(
      "compare/no-flips",
      "--flips needs checks of whole iterations, and these are single outputs",
      { hint: "leave it out to have judges compare them" },
    );
  }
  if (pairs.length > 0 || (flips !== null && flips.length > 0)) return true;
  if (uncompared > 0) return false;
  throw new UserError("compare/nothing", "the two have nothing in common that could be compared", {
    hint: "both must have run the same cases, and at least one run of each must count",
  });
}

function aroundPairs(sides: ComparedSides, { options, mask, ask }: CompareCall) {
  const { pairs, folder, versions } = sides;
  return { pairs, folder, versions, markers: markersOf(sides), seed: options.seed, mask, ask };
}

async function judge(sides: ComparedSides, call: CompareCall, signal: AbortSignal): Promise<BlindOutcome> {
  const { options, graders, machine } = call;
  const cases = sides.pairs.map((pair) => pair.second.subject.case);
  const judges = seatsFor(cases, graders.find, options.judges);
  const questions = 2 * judges * sides.pairs.length;
  machine.err(
    `comparing ${plural(sides.pairs.length, "pair")}: at most ${questions} questions to the judge\n`,
  );
  return compareBlind(
    {
      ...aroundPairs(sides, call),
      judges,
      judgeFor: graders.find,
      concurrency: options.concurrency,
    },
    signal,
  );
}

async function explain(
  { pairs, skills, folder }: ComparedSides,
  { graders, mask, blind }: CompareCall & { readonly blind: BlindOutcome },
  signal: AbortSignal,
): Promise<AnalysisOutcome | null> {
  const [pair] = pairs;
  const analyst = pair === undefined ? null : graders.find(pair.second.subject.case);
  if (analyst === null) return null;
  return analyze({ pairs, outcome: blind, skills, judge: analyst, folder, mask }, signal);
}

function agreementOf(answers: readonly HumanAnswer[], blind: BlindOutcome | null): HumanAgreement | null {
  return blind === null ? null : agreementWith(answers, blind);
}

/** A version that loses checks or the judges' votes is a regression; a comparison with holes in it is unfinished. */
function exitCode({ sides, blind, analysis }: Compared): number {
  const regressed = sides.flips?.some(({ change }) => change === "regressed") ?? false;
  if (regressed || blind?.winner === "first") return EXIT.gateMissed;
  const holes =
    sides.uncompared > 0 || (blind?.tally.votes.unscored ?? 0) > 0 || analysis?.status === "unanswered";
  return holes ? EXIT.unfinished : EXIT.ok;
}
