import { plural, printable } from "../../operations/text.ts";
import { relative } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import {
  type AnalysisOutcome,
  type BlindOutcome,
  type Compared,
  type Contender,
  type Flip,
  type FlipChange,
  type HumanAnswer,
  type HumanOpinion,
  outcomeFile,
  type PairOutcome,
} from "../../operations/compare.ts";
import type { Terminal } from "../terminal.ts";

export function comparedJson(compared: Compared): JsonObject {
  const { versions, flips, blind, human, analysis, folder, notes } = compared;
  return {
    first: versions.first,
    second: versions.second,
    flips: flips?.filter(({ change }) => change !== "same").map((flip) => ({ ...flip })) ?? null,
    blind: blind === null ? null : outcomeFile(blind),
    human:
      human === null
        ? null
        : {
            answers: human.answers.map((answer) => ({ ...answer })),
            agreement: human.agreement === null ? null : { ...human.agreement },
          },
    analysis: analysis?.status === "written" ? analysis.file : null,
    folder,
    notes,
  };
}

export function comparedText(compared: Compared, { cwd }: Pick<Terminal, "cwd">): string {
  const { versions, flips, blind, human, analysis, folder } = compared;
  const lines = [
    `${versions.second} against ${versions.first}`,
    "",
    ...(flips === null ? [] : [...flipLines(flips), ""]),
    ...(blind === null ? [] : [...blindLines(blind), ""]),
    ...(human === null ? [] : [...humanLines(human, versions), ""]),
    ...(analysis === null ? [] : [...analysisLines(analysis), ""]),
    ...(folder === null ? [] : [`files: ${relative(cwd, folder) || "."}`]),
  ];
  return `${printable(lines.join("\n")).trimEnd()}\n`;
}

const CHANGES: readonly FlipChange[] = ["regressed", "fixed", "new", "removed", "unsettled"];

function flipLines(flips: readonly Flip[]): readonly string[] {
  const count = (change: FlipChange) => flips.filter((flip) => flip.change === change).length;
  const counts = [...CHANGES, "same" as const].filter(
    (change) => change === "regressed" || count(change) > 0,
  );
  const shown = flips
    .filter(({ change }) => change !== "same")
    .toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change));
  return [
    `checks: ${counts.map((change) => `${count(change)} ${change}`).join(", ")}`,
    ...shown
      .slice(0, MOST_LINES)
      .map(({ change, caseId, text }) => `  ${change.padEnd(9)}  ${caseId}: ${text}`),
    ...(shown.length > MOST_LINES ? [`  and ${shown.length - MOST_LINES} more; --json lists them all`] : []),
  ];
}

const MOST_LINES = 25;

function blindLines(blind: BlindOutcome): readonly string[] {
  const { assignment, tally, pairs } = blind;
  const { versions } = assignment;
  const votes = (who: Contender) => tally.votes[assignment.A === who ? "A" : "B"];
  const all = Object.values(tally.votes).reduce((sum, each) => sum + each, 0);
  const said = [
    `${votes("second")} for ${versions.second}`,
    `${votes("first")} for ${versions.first}`,
    ...(tally.votes.TIE > 0 ? [plural(tally.votes.TIE, "tie")] : []),
    ...(tally.votes.split > 0 ? [`${tally.votes.split} that changed with the order`] : []),
    ...(tally.votes.unscored > 0 ? [`${tally.votes.unscored} unscored`] : []),
  ];
  const problems = [
    ...new Set(pairs.flatMap(({ judgements }) => judgements.flatMap(({ problem }) => problem ?? []))),
  ];
  return [
    `blind: ${verdictText(blind)}`,
    `  of ${plural(all, "vote")}: ${said.join(", ")}`,
    ...pairs.map((pair) => `  ${pairText(pair, blind)}`),
    ...(blind.positionAgreement === null
      ? []
      : [`  the order made no difference in ${Math.round(100 * blind.positionAgreement)} % of judgements`]),
    ...(tally.signTest === null || new Set(pairs.map(({ caseId }) => caseId)).size < 2
      ? []
      : [
          `  over cases: sign test p = ${tally.signTest.toFixed(3)}${tally.signTest > 0.05 ? ", so this may be chance in the choice of cases" : ""}`,
        ]),
    ...problems.slice(0, 3).map((problem) => `  unscored: ${problem}`),
  ];
}

function verdictText({ winner, leaning, tally, assignment: { versions } }: BlindOutcome): string {
  if (winner !== "TIE") return `${versions[winner]} wins`;
  const { unscored, ...scored } = tally.votes;
  if (unscored > 0 && Object.values(scored).every((count) => count === 0)) return "not judged";
  if (leaning === null) return "a tie";
  const chance =
    tally.chance === null
      ? ""
      : ` (coins would give as many votes ${Math.round(100 * tally.chance)} % of the time)`;
  return `a tie, leaning to ${versions[leaning]}${chance}`;
}

function pairText(
  { caseId, repetition, winner, identical, votes, judgements }: PairOutcome,
  blind: BlindOutcome,
): string {
  const undecided = votes.every((vote) => vote === "unscored") ? "not judged" : "tie";
  const name = winner === "TIE" ? undecided : blind.assignment.versions[winner];
  const head = `${caseId}${repetition === 1 ? "" : `, run ${repetition}`}: ${name}`;
  if (identical) return `${head}, the outputs are the same`;
  const side = winner === "TIE" ? null : blind.assignment.A === winner ? "A" : "B";
  const count = side === null ? "" : ` (${votes.filter((vote) => vote === side).length} of ${votes.length})`;
  const verdict = judgements.find(
    (each) => each.verdict !== null && (side === null || each.verdict.winner === side),
  )?.verdict;
  const { versions, A } = blind.assignment;
  const other: Contender = A === "first" ? "second" : "first";
  const reasoning = (verdict?.reasoning ?? "")
    .replaceAll(/\boutput A\b/g, versions[A])
    .replaceAll(/\boutput B\b/g, versions[other]);
  return `${head}${count}${reasoning === "" ? "" : `: ${reasoning.replaceAll("\n", " ").slice(0, 300)}`}`;
}

function humanLines(
  { answers, agreement }: HumanOpinion,
  versions: Readonly<Record<Contender, string>>,
): readonly string[] {
  const count = (winner: HumanAnswer["winner"]) =>
    answers.filter((answer) => answer.winner === winner).length;
  return [
    `you: ${count("second")} for ${versions.second}, ${count("first")} for ${versions.first}, ${plural(count("TIE"), "tie")}`,
    ...(agreement === null || agreement.compared === 0
      ? ["  there is no judge's verdict to compare with"]
      : [
          `  the judges agree with you on ${agreement.agreed} of ${plural(agreement.compared, "pair")}; kappa ${agreement.kappa === null ? "unknown (one side never varies)" : agreement.kappa.toFixed(2)}`,
        ]),
  ];
}

function analysisLines(analysis: AnalysisOutcome): readonly string[] {
  if (analysis.status === "unanswered") return [`analysis: none, ${analysis.reason}`];
  const { suggestions, dropped } = analysis;
  return [
    `analysis: ${plural(suggestions.length, "suggestion")}${dropped.length === 0 ? "" : `, ${dropped.length} dropped for lack of support`}`,
    ...suggestions.flatMap(({ priority, category, suggestion, skill, transcript }) => [
      `  ${priority}, ${category}: ${suggestion}`,
      `    ${skill.file}:${skill.line} "${skill.quote.slice(0, 80)}"; event ${transcript.event} "${transcript.quote.slice(0, 80)}"`,
    ]),
  ];
}
