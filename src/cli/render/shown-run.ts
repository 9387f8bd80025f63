import {
  outcomeText,
  printable,
  replayText,
  secondsText,
  usageText,
  verdictText,
} from "../../operations/text.ts";
import { relative } from "node:path";
import type { ShownRun } from "../../operations/show.ts";

/** One run: prompt, answer, checks with evidence, files, tools, cost. `all` leaves nothing out. */
export function shownRunText(shown: ShownRun, { all, cwd }: { all: boolean; cwd: string }): string {
  const { iteration, prompt, folder } = shown;
  const { run, trial } = shown.finished;
  return printable(
    [
      `${iteration.suite} iteration-${iteration.number}, ${trial.id}: ${outcomeText(run.outcome)}`,
      `  ${[run.client.name, run.client.version].filter(Boolean).join(" ")}, model ${run.model ?? "unknown"}, ${secondsText(run.durationMs)}, ${usageText(run.usage)}`,
      `  validity: ${run.validity.status}${run.validity.status === "verified" ? "" : `, ${run.validity.reason}`}`,
      `  sandbox ${run.conditions.sandbox}, staging ${run.conditions.staging}`,
      ...(run.replay ? [`  replay: ${replayText(run.replay)}`] : []),
      "",
      section("Prompt", prompt ?? "(unknown)"),
      section("Answer", answerText(shown.answer ?? "(none)", all)),
      section("Checks", checkLines(shown, all).join("\n")),
      section(
        "Files",
        run.changes.map((file) => `${file.change} ${file.path} (${file.bytes} bytes)`).join("\n"),
      ),
      section("Tools", toolLines(shown).join("\n")),
      section("Notes", run.notes.join("\n")),
      `everything else: ${relative(cwd, folder)}`,
      "",
    ]
      .filter((part) => part !== null)
      .join("\n"),
  );
}

const MOST_ANSWER_CHARS = 2000;

function answerText(answer: string, all: boolean): string {
  if (all || answer.length <= MOST_ANSWER_CHARS) return answer;
  return `${answer.slice(0, MOST_ANSWER_CHARS)}\n… --all shows the other ${answer.length - MOST_ANSWER_CHARS} characters`;
}

function section(title: string, text: string): string | null {
  if (text.trim() === "") return null;
  const body = text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd());
  return `${title}\n${body.join("\n")}\n`;
}

function checkLines({ grading }: ShownRun, all: boolean): string[] {
  const verdicts = grading?.verdicts ?? [];
  const shown = all ? verdicts : verdicts.filter((verdict) => verdict.status !== "passed");
  const lines = shown.map(
    (verdict) => `${verdict.status} ${verdict.layer} ${verdict.text}: ${verdictText(verdict)}`,
  );
  const hidden = verdicts.length - shown.length;
  return hidden === 0 ? lines : [...lines, `${hidden} passed; --all shows them`];
}

function toolLines({ finished: { run } }: ShownRun): string[] {
  return [
    ...Object.entries(run.toolCalls).map(([tool, count]) => `${tool} ${count}`),
    ...run.denials.map((denial) => `denied: ${denial.tool}`),
    ...run.activations.map((one) => `skill ${one.skill} taken up (${one.by}, event ${one.event})`),
  ];
}
