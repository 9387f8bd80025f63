import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { GradingFile } from "../../src/store/write/grading.ts";
import { assay } from "../support/command-line.ts";

import { greeterProject, RUN, type Step } from "../support/project.ts";

const MB = 1024 * 1024;

/** The verdicts of one run in which the agent does this, by the name of the check. */
async function graded(steps: readonly Step[], checks: readonly object[]) {
  const evals = { skill_name: "greeter", evals: [{ id: 1, prompt: "Greet Ada", assay: { checks } }] };
  await using tree = await greeterProject([{ steps: [{ skill: "greeter" }, ...steps] }], {
    "skills/greeter/evals/evals.json": JSON.stringify(evals),
  });
  const { exitCode } = await assay([...RUN], { cwd: tree.root });
  const path = tree.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1/grading.json");
  const file = JSON.parse(await readFile(path, "utf8")) as GradingFile;
  const decided = file.expectations.map(({ id, status }) => [id, status] as const);
  const reasons = file.unscored.map(({ id, reason }) => [id, reason] as const);
  return { exitCode, found: Object.fromEntries([...decided, ...reasons]) };
}

it("a folder that hides what is in it shows no absence of it, and of nothing else", async () => {
  const { found } = await graded(
    [
      { write: { path: "node_modules/evil/index.js", content: "x" } },
      { write: { path: "hello.txt", content: "Hello Ada" } },
      { text: "Hello Ada" },
    ],
    [
      { id: "package", type: "file_absent", path: "node_modules/evil/index.js" },
      { id: "anywhere", type: "file_absent", path: "**/*.js" },
      { id: "elsewhere", type: "file_absent", path: "src/*.js" },
      { id: "greeting", type: "file_exists", path: "hello.txt" },
    ],
  );
  const cut = expect.stringMatching(/not everything was kept: node_modules was made by the run/) as unknown;
  expect(found).toEqual({ package: cut, anywhere: cut, elsewhere: "passed", greeting: "passed" });
});

it("an answer of which only the beginning is kept decides nothing that its end could change", async () => {
  const said = `Hello Ada ${"x".repeat(4 * MB)} Goodbye`;
  const { exitCode, found } = await graded(
    [{ text: said }],
    [
      { id: "there", type: "contains", needle: "Hello Ada" },
      { id: "begins", type: "starts_with", needle: "Hello" },
      { id: "long", type: "min_length", length: 100 },
      { id: "too-long", type: "max_length", length: 100 },
      { id: "absent", type: "not_contains", needle: "Goodbye" },
      { id: "late", type: "contains", needle: "Goodbye" },
      { id: "ends", type: "ends_with", needle: "Goodbye" },
      { id: "short", type: "max_length", length: 4 * MB + 2 },
      { id: "words", type: "word_count", max: 2 },
      { id: "pattern", type: "regex", pattern: "x$" },
    ],
  );
  const cut = expect.stringMatching(/not everything was kept: the answer is longer than/) as unknown;
  expect(found).toEqual({
    there: "passed",
    begins: "passed",
    long: "passed",
    "too-long": "failed",
    absent: cut,
    late: cut,
    ends: cut,
    short: cut,
    words: cut,
    pattern: cut,
  });
  expect(exitCode).not.toBe(0);
});

it("a transcript of which the end is not kept shows no absence", async () => {
  const { found } = await graded(
    [
      { write: { path: "page.txt", content: "x".repeat(2 * MB) } },
      ...[1, 2, 3, 4].map(() => ({ read: "page.txt" })),
      { tool: { name: "Bash", input: { command: "rm -rf /" } } },
      { text: "Hello Ada" },
    ],
    [
      { id: "read", type: "tool_called", tool: "Read" },
      { id: "never", type: "tool_not_called", tool: "Bash" },
      { id: "called", type: "tool_called", tool: "Bash" },
      { id: "order", type: "tool_order", tools: ["Read", "Bash"] },
      { id: "answer", type: "not_contains", needle: "Bob" },
      { id: "json", type: "final_json", at: "status", equals: "done" },
    ],
  );
  const cut = expect.stringMatching(/not everything was kept: the transcript ends at event \d+/) as unknown;
  expect(found).toEqual({
    read: "passed",
    never: cut,
    called: cut,
    order: cut,
    answer: "passed",
    json: cut,
  });
});
