import type { CaseOutcome, CiResult, FlipOutcome, LaneOutcome, SkillOutcome } from "../../domain/ci.ts";
import { markdownText } from "../../lib/markdown-text.ts";
import { plural } from "../../lib/plural.ts";
import { money, percent } from "../../report/text.ts";

/** Tells our comment from others. */
export const COMMENT_MARK = "<!-- assay:ci -->";

/** GitHub takes 65,536 characters, GitLab a million. */
const MOST_TEXT = 60_000;
const MOST_CELL = 300;

/** The comment, and the job's summary: title first, then a table, what changed with its evidence, the cost and the report. */
export function commentText(result: CiResult, { link }: { readonly link: string | null }): string {
  const head = [
    COMMENT_MARK,
    `## ${MARKS[result.verdict]} ${cell(result.title)}`,
    "",
    ...laneLines(result.lanes),
    "",
    ...(result.skills.length === 0 ? [] : table(result.skills)),
    ...result.notes.map((note) => `- ${cell(note)}`),
    "",
  ].join("\n");
  const foot = [`${costText(result)}${commitText(result)}${linkText(link)}`, ""].join("\n");
  const sections = result.skills.map(section);
  const kept = fitting(sections, MOST_TEXT - head.length - foot.length - 200);
  const left = sections.length - kept.length;
  const more =
    left === 0 ? [] : [`${plural(left, "more section")} did not fit here; the report has all of it.`, ""];
  return [head, ...kept, ...more, foot].join("\n").replaceAll(/\n{3,}/g, "\n\n");
}

const MARKS = { passed: "✓", failed: "✗", unfinished: "!", skipped: "–" } as const;

function laneLines(lanes: readonly LaneOutcome[]): readonly string[] {
  return lanes.map(({ lane, status, detail }) => `- ${MARKS[status]} **${lane}**: ${cell(detail)}`);
}

function table(skills: readonly SkillOutcome[]): readonly string[] {
  return [
    "| | skill | agent | finding | cost |",
    "|---|---|---|---|---|",
    ...skills.map(({ suite, lane, harness, model, verdict, finding, costUsd }) => {
      const agent = [harness, ...(model === null ? [] : [model]), `(${lane})`].join(" ");
      const cost = costUsd === null ? "unknown" : paid(costUsd);
      return `| ${MARKS[verdict]} | ${[suite, agent, finding, cost].map((text) => cell(text)).join(" | ")} |`;
    }),
    "",
  ];
}

function section({ suite, decision, answer, cases, flips, moreFlips }: SkillOutcome): string {
  return [
    `### ${cell(suite)}`,
    "",
    ...[decision, answer].flatMap((text) => (text === "" ? [] : [cell(text, 1000), ""])),
    ...(cases.length === 0 ? [] : caseTable(cases)),
    ...flips.map(flipLine),
    ...(moreFlips > 0 ? [`- and ${plural(moreFlips, "more check")}`] : []),
    "",
  ].join("\n");
}

function caseTable(cases: readonly CaseOutcome[]): readonly string[] {
  return [
    "| case | before | now | runs |",
    "|---|---|---|---|",
    ...cases.map(
      ({ name, before, now, runs }) =>
        `| ${cell(name)} | ${shareText(before)} | ${shareText(now)} | ${runs} |`,
    ),
    "",
  ];
}

function shareText(share: number | null): string {
  return share === null ? "none" : percent(share);
}

const CHANGES = { regressed: "got worse", fixed: "fixed", moved: "moved, as chance does too" } as const;

function flipLine({ caseId, check, change, before, now, evidence, run }: FlipOutcome): string {
  const shown = evidence === "" ? "" : `: ${cell(evidence, 500)}`;
  const where = run === "" ? "" : ` (${cell(run)})`;
  return `- ${CHANGES[change]}: **${cell(`${caseId}: ${check}`)}**, ${cell(before)} → ${cell(now)} runs pass${shown}${where}`;
}

function costText({ costUsd }: CiResult): string {
  return costUsd === null ? "Cost unknown." : `Cost: ${paid(costUsd)}.`;
}

function paid(costUsd: number): string {
  return costUsd === 0 ? "nothing was paid" : money(costUsd);
}

function commitText({ base, head }: CiResult): string {
  return base === null || head === null
    ? ""
    : ` Base ${cell(base.slice(0, 12))}, head ${cell(head.slice(0, 12))}.`;
}

function linkText(link: string | null): string {
  return link === null
    ? ""
    : ` [Report with transcripts](<${link.replaceAll(/[<>\s]/g, "")}>), in the artifact assay-report.`;
}

function cell(text: string, most = MOST_CELL): string {
  return markdownText(text.length > most ? `${text.slice(0, most - 1)}…` : text);
}

function fitting(sections: readonly string[], most: number): readonly string[] {
  let left = most;
  const kept: string[] = [];
  for (const one of sections) {
    left -= one.length + 1;
    if (left < 0) break;
    kept.push(one);
  }
  return kept;
}
