import type { BlindOutcome, Contender, PairOutcome } from "../../operations/compare.ts";
import { addressedText, plural, pText } from "../../operations/text.ts";

/** What the judges make of it: who wins or leads, by how many voices, then pair by pair. */
export function blindLines(blind: BlindOutcome): readonly string[] {
  const { pairs, positionAgreement } = blind;
  const problems = [
    ...new Set(pairs.flatMap(({ judgements }) => judgements.flatMap(({ problem }) => problem ?? []))),
  ];
  return [
    `blind: ${verdictText(blind)}`,
    ...orderAlarm(blind),
    ...otherCasesLines(blind),
    `  ${votesText(blind)}`,
    ...pairs.flatMap((pair) => [`  ${pairText(pair, blind)}`, ...addressedLines(pair, blind)]),
    ...(positionAgreement === null
      ? []
      : [
          `  judges chose alike in both orders in ${Math.round(100 * positionAgreement)} % of their judgements`,
        ]),
    ...problems.slice(0, 3).map((problem) => `  unscored: ${problem}`),
  ];
}

function verdictText(blind: BlindOutcome): string {
  const { winner, leaning, onTheseCases, pairs, assignment } = blind;
  const { voices, voicesNeeded, pValue } = onTheseCases;
  if (voices === 0) return "not judged";
  const cases = new Set(pairs.map(({ caseId }) => caseId)).size;
  const counted = (who: Contender) => {
    const sign = who === "first" ? -1 : 1;
    return pairs.filter(({ voice }) => Math.sign(voice ?? 0) === sign).length;
  };
  const evidence = (who: Contender) =>
    `${counted(who)} of ${plural(voices, "pair")} of outputs, p ${pText(pValue ?? 1)}`;
  if (winner !== "TIE")
    return `${assignment.versions[winner]} wins on ${cases === 1 ? "this case" : `these ${cases} cases`} (${evidence(winner)})`;
  if (leaning === null) return `a tie (${plural(voices, "pair")} of outputs)`;
  const needed =
    voices < voicesNeeded
      ? `; ${voicesNeeded} pairs are needed to say more: run the cases more often, or add some`
      : "";
  return `leans to ${assignment.versions[leaning]}, not confirmed (${evidence(leaning)})${needed}`;
}

/** A judge that goes by places has compared nothing. */
function orderAlarm({ votes }: BlindOutcome): readonly string[] {
  const asked = votes.first + votes.second + votes.TIE + votes.split;
  if (votes.split < FEWEST_SPLIT || 2 * votes.split < asked) return [];
  return [
    `  ALARM: in ${votes.split} of ${asked} votes the judge changed sides with the order, so it chose a place rather than an output; take another judge (--grading-model)`,
  ];
}

/** So few may change sides over outputs that are equally good. */
const FEWEST_SPLIT = 3;

/** Nothing where one case is all there is, or nobody is ahead. */
function otherCasesLines({ onOtherCases, assignment }: BlindOutcome): readonly string[] {
  const { voices, voicesNeeded, winner, leaning, pValue } = onOtherCases;
  const ahead = winner ?? leaning;
  if (voices < 2 || ahead === null) return [];
  const name = assignment.versions[ahead];
  if (winner !== null)
    return [`  on other cases like these: ${name} is preferred too (p ${pText(pValue ?? 1)})`];
  return [
    `  on other cases: ${
      voices < voicesNeeded
        ? `${voicesNeeded} cases are needed to say anything`
        : `not confirmed (p ${pText(pValue ?? 1)})`
    }`,
  ];
}

function votesText({ votes, assignment: { versions } }: BlindOutcome): string {
  const all = Object.values(votes).reduce((sum, each) => sum + each, 0);
  const said = [
    `${votes.second} for ${versions.second}`,
    `${votes.first} for ${versions.first}`,
    ...(votes.TIE > 0 ? [plural(votes.TIE, "tie")] : []),
    ...(votes.split > 0 ? [`${votes.split} that changed with the order`] : []),
    ...(votes.unscored > 0 ? [`${votes.unscored} unscored`] : []),
  ];
  return `of ${plural(all, "vote")}: ${said.join(", ")}`;
}

/** Judges are told not to listen, and no code can see whether one did. */
function addressedLines({ addressed }: PairOutcome, { assignment: { versions } }: BlindOutcome) {
  return (["first", "second"] as const).flatMap((who) =>
    addressed[who].map(
      (passage) => `    look at ${versions[who]} yourself: ${addressedText(passage).replaceAll("\n", " ")}`,
    ),
  );
}

function pairText(pair: PairOutcome, { assignment: { versions } }: BlindOutcome): string {
  const { caseId, repetition, sides, winner, identical, votes, judgements } = pair;
  const undecided = votes.every((vote) => vote === "unscored") ? "not judged" : "tie";
  const name = winner === "TIE" ? undecided : versions[winner];
  const head = `${caseId}${repetition === 1 ? "" : `, run ${repetition}`}: ${name}`;
  if (identical) return `${head}, the outputs are the same`;
  const side = winner === "TIE" ? null : sides.A === winner ? "A" : "B";
  const count =
    winner === "TIE" ? "" : ` (${votes.filter((vote) => vote === winner).length} of ${votes.length})`;
  const verdict = judgements.find(
    (each) => each.verdict !== null && (side === null || each.verdict.winner === side),
  )?.verdict;
  const reasoning = (verdict?.reasoning ?? "")
    .replaceAll(/\boutput A\b/g, versions[sides.A])
    .replaceAll(/\boutput B\b/g, versions[sides.B]);
  return `${head}${count}${reasoning === "" ? "" : `: ${reasoning.replaceAll("\n", " ").slice(0, 300)}`}`;
}
