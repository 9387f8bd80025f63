import { agreementWith } from "../compare/human.ts";
import { UserError } from "../domain/user-error.ts";
import { COMPARE } from "../options/compare.ts";
import type { Given } from "../options/table.ts";
import type { CompareCall } from "./compare/call.ts";
import type { ComparedSides } from "./compare/compared-sides.ts";
import { type Compared, type Comparison, verdictOf } from "./compare/comparison.ts";
import { analyzeWhy, askAbout, type CompareEvent, judgePairs } from "./compare/judging.ts";
import { runSettledOf, settleComparing } from "./compare/settled.ts";
import { readSides } from "./compare/sides.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

export type { AnalysisOutcome } from "../compare/analyze/analyze.ts";
export type { ChecksTogether, Flip, FlipChange } from "../domain/flip.ts";
export type { HumanAnswer } from "../compare/human.ts";
export { type BlindOutcome, outcomeFile, type PairOutcome } from "../compare/outcome.ts";
export type { Contender } from "../compare/pair.ts";
export type { Compared, Comparison, HumanOpinion } from "./compare/comparison.ts";
export type { CompareEvent } from "./compare/judging.ts";

/** What `compare` can be told. */
export const COMPARE_OPTIONS = COMPARE;
export type CompareOptions = Given<typeof COMPARE_OPTIONS>;

/** Reporters hear of the runs of versions. */
export interface CompareDoor extends Door {
  /** Shows a text to a person, for `human`, and answers what they type; absent: nobody is there. */
  readonly ask?: (text: string) => Promise<string>;
  /** Hears how the judges get on. */
  readonly on?: (event: CompareEvent) => void;
}

/**
 * Is the second better than the first: check by check, and to judges who cannot tell the versions. Versions are run first,
 * side by side. Throws a UserError for what the caller can fix.
 */
export async function compare(options: CompareOptions, door: CompareDoor): Promise<Comparison> {
  const open = openDoor(door);
  const settled = settleComparing(options, sourcesOf(open));
  const account = { file: "budget-compare.json", resume: settled.resume || settled.retryErrors };
  await using run = await openRunRequest(runSettledOf(settled), open, account);
  try {
    return await compareBoth({ settled, run, door: open }, door);
  } catch (error) {
    if (open.signal.aborted) return { status: "interrupted", during: "comparison" };
    throw error;
  }
}

async function compareBoth(
  call: CompareCall,
  { ask = nobody, on = () => {} }: Pick<CompareDoor, "ask" | "on">,
): Promise<Comparison> {
  const { settled, door } = call;
  const sides = await readSides(call);
  if (sides === "interrupted") return { status: "interrupted", during: "runs" };
  const { versions, flips, together, notes, uncompared } = sides;
  for (const note of notes) door.machine.note(note);
  if (settled.prompt !== null && flips !== null)
    door.machine.note("--prompt is for two text files and is not used here");
  if (!hasSomething(sides, call)) return { status: "nothing-counts", uncompared };
  const answers = settled.human ? await askAbout(sides, call, ask) : null;
  const blind = settled.flips || sides.pairs.length === 0 ? null : await judgePairs(sides, call, on);
  const analysis = settled.analyze && blind !== null ? await analyzeWhy(sides, blind, call) : null;
  const agreement = answers === null || blind === null ? null : agreementWith(answers, blind);
  const found = { versions, flips, together, blind, analysis, notes, uncompared };
  return {
    status: "compared",
    verdict: verdictOf(found),
    ...found,
    human: answers === null ? null : { answers, agreement },
    folder: blind === null && answers === null ? null : sides.folder.root,
  } satisfies Compared;
}

async function nobody(): Promise<never> {
  throw new UserError("compare/nobody", "--human needs a terminal", {
    hint: "run it in a terminal; answers so far are kept",
  });
}

/** False where runs are missing that another call may bring. */
function hasSomething({ flips, pairs, uncompared }: ComparedSides, { settled }: CompareCall): boolean {
  if (settled.flips && flips === null) {
    throw new UserError(
      "compare/no-flips",
      "--flips needs checks of whole iterations, and these are single outputs",
      { hint: "leave it out to have judges compare them" },
    );
  }
  if (pairs.length > 0 || (flips !== null && flips.length > 0)) return true;
  if (uncompared.length > 0) return false;
  throw new UserError("compare/nothing", "the two have nothing in common that could be compared", {
    hint: "both must have run the same cases, and at least one run of each must count",
  });
}
