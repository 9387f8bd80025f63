import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { groupBy } from "../../src/lib/group-by.ts";

/** What skill-creator's programs ask of a place in a file; a message for each that does not hold. */
type Rule = readonly [place: string, asks: string, holds: (value: unknown) => boolean];

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isWhole = (value: unknown) => Number.isInteger(value);
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isList = Array.isArray;
const isThere = (value: unknown) => value !== undefined;
const isRate = (value: unknown) => isNumber(value) && (value as number) >= 0 && (value as number) <= 1;
const isOneOf =
  (...words: readonly string[]) =>
  (value: unknown) =>
    words.includes(value as string);
const unless = (isOkay: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || isOkay(value);

/** Null is unknown, which the viewer shows as a dash; half a figure stops it. */
const isStats = (value: unknown) =>
  value === null ||
  ["mean", "stddev", "min", "max"].every((key) => isNumber((value as Record<string, unknown>)?.[key]));

/**
 * By file: what the validator of the first generation required, what the aggregator adds up and what the viewer reads. A `*`
 * stands for every entry or key.
 */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  "grading.json": [
    ["expectations", "is a list", isList],
    ["expectations.*.text", "is a text", isText],
    ["expectations.*.passed", "is true or false", (value) => typeof value === "boolean"],
    ["expectations.*.evidence", "is a text", isText],
    ["summary.passed", "is a number", isNumber],
    ["summary.failed", "is a number", isNumber],
    ["summary.total", "is a number", isNumber],
    ["summary.pass_rate", "is between 0 and 1", isRate],
    ["timing", "is an object or absent", unless(isObject)],
    [
      "timing.total_duration_seconds",
      "is absent, or timing.json is not read",
      (value) => value === undefined,
    ],
    ["execution_metrics", "is an object or absent", unless(isObject)],
    ["execution_metrics.total_tool_calls", "is a number", unless(isNumber)],
    ["execution_metrics.errors_encountered", "is a number", unless(isNumber)],
    ["execution_metrics.output_chars", "is a number", unless(isNumber)],
    ["user_notes_summary", "is an object or absent", unless(isObject)],
    ["user_notes_summary.*", "is a list", isList],
  ],
  "timing.json": [
    ["total_tokens", "is there", isThere],
    ["duration_ms", "is there", isThere],
    ["executor_duration_seconds", "is there", isThere],
    ["total_duration_seconds", "is a number or absent", unless(isNumber)],
  ],
  "metrics.json": [
    ["tool_calls", "is an object", isObject],
    ["total_tool_calls", "is a whole number", isWhole],
  ],
  "eval_metadata.json": [
    ["eval_id", "is a whole number", isWhole],
    ["eval_name", "is a text", isText],
    ["prompt", "is a text", isText],
    ["assertions", "is a list", isList],
  ],
  "benchmark.json": [
    ["metadata.skill_name", "is a text", isText],
    ["metadata.timestamp", "is a text", isText],
    ["metadata.runs_per_configuration", "is a number", isNumber],
    ["metadata.evals_run", "is a list", isList],
    ["metadata.evals_run.*", "is a whole number", isWhole],
    ["runs", "is a list", isList],
    ["runs.*.eval_id", "is a whole number", isWhole],
    [
      "runs.*.configuration",
      "is an arm that sorts before its baseline",
      isOneOf("with_skill", "without_skill", "new_skill", "old_skill"),
    ],
    ["runs.*.run_number", "is a whole number", isWhole],
    ["runs.*.result.pass_rate", "is between 0 and 1", isRate],
    ["runs.*.result.time_seconds", "is a number or null", (value) => value === null || isNumber(value)],
    ["runs.*.result.tokens", "is there", isThere],
    ["runs.*.result.errors", "is a number", isNumber],
    ["runs.*.expectations.*.text", "is a text", isText],
    ["run_summary.*.pass_rate", "is there", isThere],
    ["run_summary.*.time_seconds", "is there", isThere],
    ["run_summary.*.tokens", "is there", isThere],
    ["notes", "is a list", isList],
  ],
  "comparison.json": [
    ["winner", "is A, B or TIE", isOneOf("A", "B", "TIE")],
    ["reasoning", "is a text", isText],
    ["rubric.A.content", "is an object", isObject],
    ["rubric.A.structure", "is an object", isObject],
    ["rubric.A.overall_score", "is a number", isNumber],
    ["rubric.B.content", "is an object", isObject],
    ["rubric.B.structure", "is an object", isObject],
    ["rubric.B.overall_score", "is a number", isNumber],
    ["output_quality", "is an object", isObject],
  ],
  "analysis.json": [
    ["comparison_summary", "is an object", isObject],
    ["comparison_summary.winner_skill", "is a path", (value) => isText(value) && /[/\\]/.test(value)],
    ["comparison_summary.loser_skill", "is a path", (value) => isText(value) && /[/\\]/.test(value)],
    ["winner_strengths", "is a list", isList],
    ["loser_weaknesses", "is a list", isList],
    ["improvement_suggestions", "is a list", isList],
    ["improvement_suggestions.*.priority", "is high, medium or low", isOneOf("high", "medium", "low")],
    ["improvement_suggestions.*.category", "is a text", isText],
    ["improvement_suggestions.*.suggestion", "is a text", isText],
  ],
  "history.json": [
    ["started_at", "is a text", isText],
    ["skill_name", "is a text", isText],
    ["current_best", "is a text", isText],
    ["iterations", "is a list", isList],
    ["iterations.*.version", "is a text", isText],
    ["iterations.*.expectation_pass_rate", "is there", isThere],
    ["iterations.*.grading_result", "is a result", isOneOf("baseline", "won", "lost", "tie")],
    ["iterations.*.is_current_best", "is true or false", (value) => typeof value === "boolean"],
  ],
};

/** What skill-creator's programs would refuse or misread in the files of an iteration or a comparison, and in their places. */
export async function ruleProblems(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(
      (entry) =>
        entry.isFile() && !/[/\\](?:attempts|triggers|inputs|before)(?:[/\\]|$)/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const problems: string[] = [];
  for (const file of files) {
    const name = basename(file).replace(/^comparison-\d+/, "comparison");
    const rules = RULES[name];
    if (rules === undefined) continue;
    const value = JSON.parse(await readFile(file, "utf8")) as unknown;
    const found = [
      ...problemsOf(value, rules),
      ...(name === "benchmark.json" ? benchmarkProblems(value) : []),
    ];
    problems.push(...found.map((problem) => `${file.slice(root.length + 1)}: ${problem}`));
  }
  return [...problems, ...(await placeProblems(root)), ...gaps(files)];
}

function problemsOf(value: unknown, rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(([place, asks, holds]) =>
    valuesAt(value, place.split("."), "")
      .filter((found) => !holds(found.value))
      .map((found) => `${found.at} ${asks}: it is ${JSON.stringify(found.value)}`),
  );
}

interface Found {
  readonly at: string;
  readonly value: unknown;
}

function valuesAt(value: unknown, [key, ...rest]: readonly string[], at: string): readonly Found[] {
  if (key === undefined) return [{ at, value }];
  const inside = (value ?? {}) as Readonly<Record<string, unknown>>;
  const keys = key === "*" ? Object.keys(inside) : [key];
  return keys.flatMap((one) => valuesAt(inside[one], rest, at === "" ? one : `${at}.${one}`));
}

/** The viewer's columns are the first two keys of run_summary, and each of its figures is whole or null. */
function benchmarkProblems(value: unknown): readonly string[] {
  const { run_summary: summary } = value as { run_summary: Record<string, Record<string, unknown>> };
  return Object.entries(summary).flatMap(([name, figures]) =>
    Object.entries(figures).flatMap(([figure, stats]) => {
      const isFine =
        name === "delta" ? stats === null || (isText(stats) && /^[+-]\d/.test(stats)) : isStats(stats);
      return isFine
        ? []
        : [`run_summary.${name}.${figure} is neither whole nor null: ${JSON.stringify(stats)}`];
    }),
  );
}

/** Where the aggregator finds the runs, and the viewer prompt, id and files of each. */
async function placeProblems(root: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const evalFolder of (await readdir(root)).filter((name) => name.startsWith("eval-"))) {
    const inside = await readdir(join(root, evalFolder), { withFileTypes: true });
    if (!inside.some(({ name }) => name === "eval_metadata.json"))
      problems.push(`${evalFolder} has no metadata`);
    for (const { name: arm } of inside.filter((entry) => entry.isDirectory())) {
      const runs = await readdir(join(root, evalFolder, arm));
      if (!runs.includes("eval_metadata.json")) problems.push(`${evalFolder}/${arm} has no metadata`);
      for (const run of runs.filter((name) => name.startsWith("run-"))) {
        const at = join(root, evalFolder, arm, run);
        if (!/^run-\d+$/.test(run)) problems.push(`${at} has no number`);
        if ((await stat(join(at, "grading.json")).catch(() => null)) === null) continue;
        const shown = (await readdir(join(at, "outputs"))).filter((name) => name !== "metrics.json");
        if (shown.length === 0) problems.push(`${at} has nothing that the viewer shows`);
      }
    }
  }
  return problems;
}

/** comparison-1, comparison-2 … of one folder, without a gap. */
function gaps(files: readonly string[]): readonly string[] {
  const compared = files.filter((file) => /^comparison-\d+\.json$/.test(basename(file)));
  return [...groupBy(compared, dirname)].flatMap(([folder, here]) =>
    here.flatMap((_, index) => {
      const wanted = join(folder, `comparison-${index + 1}.json`);
      return here.includes(wanted) ? [] : [`${basename(wanted)} is missing`];
    }),
  );
}
