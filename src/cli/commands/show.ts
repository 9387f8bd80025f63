import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { Option } from "commander";
import { printable } from "../../lib/printable.ts";
import { outcomeText, replayText, secondsText, usageText, verdictText } from "../../report/text.ts";
import { promptText } from "../../store/write/eval-metadata.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { explain, EXPLAINERS } from "../../operations/explain/explain.ts";
import { explanationText } from "../render/explanation.ts";
import { findRun, type FoundRun } from "../../operations/find-run.ts";
import { defineSomeRunOptions } from "../../operations/grade/some-run-options.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { defineModelOptions } from "../options/models.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import type { Terminal } from "../terminal.ts";

/** One run: prompt, answer, checks with evidence, files, tools, cost. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument(
        "<run>",
        "a run folder; a trial of the newest iteration, such as A1/with_skill/run-2 (A1 alone: its first run); or SKILL/A1 or SKILL@3/A1 (SKILL alone: its first run that did not pass)",
      )
      .option("--workspace <dir>", "where the results are (default: .assay of the project you are in)")
      .option(
        "--explain",
        "ask why the run failed its checks: the agent in its own session, else a judge over the transcript",
      )
      .addOption(
        new Option("--from <who>", "who explains; auto is the agent where its session can be resumed")
          .choices(EXPLAINERS)
          .default("auto"),
      )
      .option("--all", "also the checks that passed, and the whole answer")
      .option("--json", "print the run and its verdicts as JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  assay show .assay/pdf/iteration-3/eval-1/with_skill/run-1\n  assay show A1/with_skill/run-2 --all\n  assay show pdf@3/A1\n  assay show A1 --explain\n  assay show A1 --explain --from judge --max-cost 0.5",
      );
    defineSomeRunOptions(definition, ["--sandbox", "--timeout"]);
    defineModelOptions(definition);
    defineCassetteOptions(definition);
  },
  async run({ args, options, terminal }) {
    const [name] = args as [string];
    const found = await findRun(name, { cwd: terminal.cwd, results: resultsFolder(options, terminal) });
    const grading = found.state.gradings.get(found.finished.trial.id) ?? null;
    const isJson = options["json"] === true;
    const json = (more: object) =>
      terminal.out(`${JSON.stringify({ ...found.finished, grading, ...more }, null, 2)}\n`);
    if (!isJson) terminal.out(printable(await describe(found, { all: options["all"] === true, terminal })));
    if (options["explain"] !== true) {
      if (isJson) json({});
      return EXIT.ok;
    }
    return await explain(found, {
      raw: options,
      terminal,
      tell: (explanation) => {
        if (isJson) json({ explanation });
        else if (explanation !== null) terminal.out(explanationText(explanation));
      },
    });
  },
};

const MOST_ANSWER_CHARS = 2000;

async function describe(
  found: FoundRun,
  { all, terminal }: { all: boolean; terminal: Terminal },
): Promise<string> {
  const { folder, state, finished } = found;
  const { run, trial } = finished;
  const one = state.cases.find((candidate) => candidate.id === trial.caseId);
  const files = folder.run(finished.folder);
  const answer = await readFile(files.outputText, "utf8").catch(() => "(none)");
  const shown =
    all || answer.length <= MOST_ANSWER_CHARS
      ? answer
      : `${answer.slice(0, MOST_ANSWER_CHARS)}\n… --all shows the other ${answer.length - MOST_ANSWER_CHARS} characters`;
  const tools = Object.entries(run.toolCalls).map(([tool, count]) => `${tool} ${count}`);
  return [
    `${state.iteration?.suite ?? ""} iteration-${state.iteration?.number ?? ""}, ${trial.id}: ${outcomeText(run.outcome)}`,
    `  ${[run.client.name, run.client.version].filter(Boolean).join(" ")}, model ${run.model ?? "unknown"}, ${secondsText(run.durationMs)}, ${usageText(run.usage)}`,
    `  validity: ${run.validity.status}${run.validity.status === "verified" ? "" : `, ${run.validity.reason}`}`,
    `  sandbox ${run.conditions.sandbox}, staging ${run.conditions.staging}`,
    ...(run.replay ? [`  replay: ${replayText(run.replay)}`] : []),
    "",
    section(
      "Prompt",
      one === undefined ? "(unknown)" : promptText(one, trial.variant, state.iteration?.suite ?? ""),
    ),
    section("Answer", shown),
    section("Checks", checkLines(found, all).join("\n")),
    section(
      "Files",
      run.changes.map((file) => `${file.change} ${file.path} (${file.bytes} bytes)`).join("\n"),
    ),
    section(
      "Tools",
      [
        ...tools,
        ...run.denials.map((denial) => `denied: ${denial.tool}`),
        ...run.activations.map((one) => `skill ${one.skill} taken up (${one.by}, event ${one.event})`),
      ].join("\n"),
    ),
    section("Notes", run.notes.join("\n")),
    `everything else: ${relative(terminal.cwd, files.root)}`,
    "",
  ]
    .filter((part) => part !== null)
    .join("\n");
}

function section(title: string, text: string): string | null {
  if (text.trim() === "") return null;
  const body = text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd());
  return `${title}\n${body.join("\n")}\n`;
}

function checkLines({ state, finished }: FoundRun, all: boolean): string[] {
  const verdicts = state.gradings.get(finished.trial.id)?.verdicts ?? [];
  const shown = all ? verdicts : verdicts.filter((verdict) => verdict.status !== "passed");
  const lines = shown.map(
    (verdict) => `${verdict.status} ${verdict.layer} ${verdict.text}: ${verdictText(verdict)}`,
  );
  const hidden = verdicts.length - shown.length;
  return hidden === 0 ? lines : [...lines, `${hidden} passed${all ? "" : "; --all shows them"}`];
}
