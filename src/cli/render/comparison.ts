import { addressedText, plural, points, printable, pText } from "../../operations/text.ts";
import { relative } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import {
  type AnalysisOutcome,
  type ChecksTogether,
  type Compared,
  type Contender,
  type Flip,
  type FlipChange,
  type HumanAnswer,
  type HumanOpinion,
  outcomeFile,
} from "../../operations/compare.ts";
import type { Terminal } from "../terminal.ts";
import { blindLines } from "./blind-comparison.ts";
import { kappaText } from "./kappa.ts";

export function comparedJson(compared: Compared): JsonObject {
  const { versions, flips, together, blind, human, analysis, folder, notes } = compared;
  return {
    first: versions.first,
    second: versions.second,
    flips: flips?.filter(({ change }) => change !== "same").map(flipJson) ?? null,
    together: together === null ? null : { ...together },
    blind: blind === null ? null : outcomeFile(blind),
    human:
      human === null
        ? null
        : {
            answers: human.answers.map((answer) => ({ ...answer })),
            agreement: agreementJson(human.agreement),
          },
    analysis: analysis?.status === "written" ? analysis.file : null,
    folder,
    notes,
  };
}

function agreementJson(agreement: HumanOpinion["agreement"]): JsonObject | null {
  if (agreement === null) return null;
  const { kappaInterval } = agreement;
  return { ...agreement, kappaInterval: kappaInterval && { ...kappaInterval } };
}

function flipJson({ before, after, ...flip }: Flip): JsonObject {
  return { ...flip, before: before && { ...before }, after: after && { ...after } };
}

export function comparedText(compared: Compared, { cwd }: Pick<Terminal, "cwd">): string {
  const { versions, flips, together, blind, human, analysis, folder } = compared;
  const lines = [
    `${versions.second} against ${versions.first}`,
    "",
    ...(flips === null ? [] : [...flipLines(flips, together), ""]),
    ...(blind === null ? [] : [...blindLines(blind), ""]),
    ...(human === null ? [] : [...humanLines(human, versions), ""]),
    ...(analysis === null ? [] : [...analysisLines(analysis), ""]),
    ...(folder === null ? [] : [`files: ${relative(cwd, folder) || "."}`]),
  ];
  return `${printable(lines.join("\n")).trimEnd()}\n`;
}

const CHANGES: readonly FlipChange[] = [
  "regressed",
  "fixed",
  "moved",
  "changed",
  "new",
  "removed",
  "unscored",
];

function flipLines(flips: readonly Flip[], together: ChecksTogether | null): readonly string[] {
  const count = (change: FlipChange) => flips.filter((flip) => flip.change === change).length;
  const counts = [...CHANGES, "same" as const].filter(
    (change) => change === "regressed" || count(change) > 0,
  );
  const shown = flips
    .filter(({ change }) => change !== "same")
    .toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change));
  return [
    ...togetherHead(together),
    `checks: ${counts.map((change) => `${count(change)} ${change}`).join(", ")}`,
    ...shown.slice(0, MOST_LINES).map(flipLine),
    ...(shown.length > MOST_LINES ? [`  and ${shown.length - MOST_LINES} more; --json lists them all`] : []),
    ...togetherLines(together, count("moved")),
  ];
}

function flipLine({ change, caseId, text, before, after }: Flip): string {
  const runs =
    before === null || after === null
      ? ""
      : ` (${before.passed} of ${before.runs} -> ${after.passed} of ${after.runs} runs)`;
  return `  ${change.padEnd(9)}  ${caseId}: ${text}${runs}`;
}

/** What is sure of all checks decides, whatever is sure of each. */
function togetherHead(together: ChecksTogether | null): readonly string[] {
  if (together?.change !== "regressed" && together?.change !== "fixed") return [];
  const { change, difference, pValue } = together;
  return [
    `${change === "regressed" ? "WORSE" : "better"}: all checks together ${points(difference)} points, p ${pText(pValue ?? 1)}`,
  ];
}

function togetherLines(together: ChecksTogether | null, moved: number): readonly string[] {
  if (moved === 0) return [];
  if (together?.change === "regressed" || together?.change === "fixed")
    return ["  of which single check that is true, so few runs cannot tell"];
  const runs = together?.runsToTell ?? null;
  return [
    runs === null
      ? "  what moved may be chance, and is too little for any reasonable number of runs to settle"
      : `  what moved may be chance; ${runs} runs of each case, before and now, would settle it if this continues`,
  ];
}

const MOST_LINES = 25;

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
          `  the judges agree with you on ${agreement.agreed} of ${plural(agreement.compared, "pair")}; kappa ${kappaText(agreement, "pairs")}`,
        ]),
  ];
}

function analysisLines(analysis: AnalysisOutcome): readonly string[] {
  if (analysis.status === "unanswered") return [`analysis: none, ${analysis.reason}`];
  const { suggestions, dropped, addressed } = analysis;
  return [
    `analysis: ${plural(suggestions.length, "suggestion")}${dropped.length === 0 ? "" : `, ${dropped.length} dropped for lack of support`}`,
    ...suggestions.flatMap(({ priority, category, suggestion, skill, transcript }) => [
      `  ${priority}, ${category}: ${suggestion}`,
      `    ${skill.file}:${skill.line} "${skill.quote.slice(0, 80)}"; event ${transcript.event} "${transcript.quote.slice(0, 80)}"`,
    ]),
    ...addressed.map((passage) => `  ${addressedText(passage)}`),
  ];
}
