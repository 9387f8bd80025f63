import {
  checkText,
  trespassText,
  boundText,
  outcomeText,
  printable,
  remarksOf,
  remarkText,
  replayText,
  secondsText,
  usageText,
  verdictText,
} from "../../operations/text.ts";
import { relative } from "node:path";
import type { ShownRun } from "../../operations/show.ts";
import type { Terminal } from "../terminal.ts";
import { brokenAt, widthOf } from "./fitted.ts";

/** One run: prompt, answer, checks with evidence, files, tools, cost. `all` leaves nothing out. */
export function shownRunText(
  shown: ShownRun,
  { all, terminal }: { all: boolean; terminal: Terminal },
): string {
  const columns = widthOf(terminal, "out");
  const { prompt, folder } = shown;
  const { run } = shown.finished;
  const told = (title: string, lines: readonly string[]): string | null =>
    section(title, brokenAt(lines.map(held).join("\n"), columns && columns - INDENT.length));
  return printable(
    [
      brokenAt(headLines(shown).map(held).join("\n"), columns),
      "",
      section("Prompt", prompt ?? "(unknown)"),
      section("Answer", answerText(shown.answer ?? "(none)", all)),
      told("Checks", checkLines(shown, all)),
      told("Gates", gateLines(shown)),
      told("Remarks", remarkLines(shown)),
      section(
        "Files",
        run.changes.map((file) => held(`${file.change} ${file.path} (${file.bytes} bytes)`)).join("\n"),
      ),
      section("Changes", diffText(shown.diffs, all)),
      told("Tools", toolLines(shown)),
      told("Out of bounds", run.trespasses.map(trespassText)),
      told("Notes", run.notes),
      `everything else: ${relative(terminal.cwd, folder)}`,
      "",
    ]
      .filter((part) => part !== null)
      .join("\n"),
  );
}

/** What strangers say over several lines never starts one as ours do. */
function held(text: string): string {
  return text.replaceAll(/\s*\n\s*/gu, "\n      ");
}

function headLines({ iteration, finished: { run, trial } }: ShownRun): readonly string[] {
  return [
    `${iteration.suite} iteration-${iteration.number}, ${trial.id}: ${outcomeText(run.outcome)}`,
    `  ${[run.client.name, run.client.version].filter(Boolean).join(" ")}, model ${run.model ?? "unknown"}, ${run.durationMs === null ? "time unknown" : secondsText(run.durationMs)}, ${usageText(run.usage)}`,
    `  validity: ${run.validity.status}${run.validity.status === "verified" ? "" : `, ${run.validity.reason}`}`,
    `  sandbox ${run.conditions.sandbox}, ${networkText(run.conditions)}staging ${run.conditions.staging}`,
    ...(run.sent?.systemPrompt ? [`  system prompt: ${SYSTEM_PROMPT[run.sent.systemPrompt]}`] : []),
    ...(run.replay ? [`  replay: ${replayText(run.replay)}`] : []),
  ];
}

function networkText({ network, hosts }: ShownRun["finished"]["run"]["conditions"]): string {
  if (network === undefined) return "";
  return !hosts?.length ? `network ${network}, ` : `network closed except for ${hosts.join(", ")}, `;
}

const SYSTEM_PROMPT = {
  explicit: "the eval file's system_prompt, beside the invocation",
  "agents-md": "AGENTS.md, beside the invocation",
  "skill-md": "the skill's own text, which the invocation brings",
} as const;

const MOST_ANSWER_CHARS = 2000;

function answerText(answer: string, all: boolean): string {
  if (all || answer.length <= MOST_ANSWER_CHARS) return answer;
  return `${answer.slice(0, MOST_ANSWER_CHARS)}\n… --all shows the other ${answer.length - MOST_ANSWER_CHARS} characters`;
}

const MOST_DIFF_LINES = 40;

function diffText(diffs: readonly string[], all: boolean): string {
  const lines = diffs.join("").trimEnd().split("\n");
  if (all || lines.length <= MOST_DIFF_LINES) return lines.join("\n");
  const shown = lines.slice(0, MOST_DIFF_LINES);
  return [...shown, `… --all shows the other ${lines.length - MOST_DIFF_LINES} lines`].join("\n");
}

const INDENT = "  ";

function section(title: string, text: string): string | null {
  if (text.trim() === "") return null;
  const body = text
    .trimEnd()
    .split("\n")
    .map((line) => `${INDENT}${line}`.trimEnd());
  return `${title}\n${body.join("\n")}\n`;
}

function checkLines({ grading }: ShownRun, all: boolean): string[] {
  const verdicts = grading?.verdicts ?? [];
  const shown = all ? verdicts : verdicts.filter((verdict) => verdict.status !== "passed");
  const lines = shown.map((verdict) => `${verdict.status} ${checkText(verdict)}: ${verdictText(verdict)}`);
  const hidden = verdicts.length - shown.length;
  return hidden === 0 ? lines : [...lines, `${hidden} passed; --all shows them`];
}

function gateLines({ bounds }: ShownRun): string[] {
  return bounds.map((bound) => `${bound.met ? "met" : "missed"} ${boundText(bound)}`);
}

function remarkLines({ grading }: ShownRun): string[] {
  return grading === null ? [] : remarksOf(grading).map(remarkText);
}

function toolLines({ finished: { run } }: ShownRun): string[] {
  return [
    ...Object.entries(run.toolCalls).map(([tool, count]) => `${tool} ${count}`),
    ...run.denials.map((denial) => `denied: ${denial.tool}`),
    ...run.activations.map((one) => `skill ${one.skill} loaded (${one.by}, event ${one.event})`),
  ];
}
