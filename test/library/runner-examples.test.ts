import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { runnerProject } from "../support/runner-project.ts";

const EXAMPLES = join(inject("builtPackage"), "examples");

async function exampleProject(names: readonly string[]) {
  const project = await runnerProject();
  for (const name of names)
    await cp(join(EXAMPLES, name), project.path("examples", name), { recursive: true });
  return project;
}

describe("the Vitest example", () => {
  it(
    "passes from its recordings, without a key, and keeps the flake and the retry",
    { timeout: 180_000 },
    async () => {
      await using project = await exampleProject(["vitest", "release-notes"]);
      const folder = project.path("examples", "vitest");
      const { code, tests, out } = await project.vitest({}, folder);
      expect({ code, failed: Object.entries(tests).filter(([, { status }]) => status !== "passed") }).toEqual(
        {
          code: 0,
          failed: [],
        },
      );
      expect(Object.keys(tests)).toHaveLength(6);
      expect(out).not.toContain("skipped");
      const summaries = await project.summaries(join(folder, ".assay"));
      expect(Object.keys(summaries).toSorted()).toEqual([
        "release-notes.release-notes.test/iteration-1",
        "release-notes/iteration-1",
      ]);
      const tested = summaries["release-notes.release-notes.test/iteration-1"];
      const byCase = new Map(tested?.cases.map((one) => [one.caseId, one]));
      const flake = byCase.get("mostly-saves-the-notes-as-a-file");
      expect(flake).toMatchObject({ stability: 7 / 8 });
      expect(flake?.trials).toHaveLength(8);
      expect(tested?.gates.find(({ caseId }) => caseId === flake?.caseId)).toMatchObject({ met: true });
      // The retry passed, and is neither a second trial nor the one that counts.
      const retried = byCase.get("answers-with-the-notes");
      expect(retried?.trials).toMatchObject([{ failed: 1, passed: 0 }]);
      expect(tested?.spending.replaced.attempts).toBe(1);
      expect(tested?.triggers?.queries.map(({ status }) => status)).toEqual(["passed", "passed"]);
      expect(summaries["release-notes/iteration-1"]?.benchmark).toMatchObject({ verdict: "better" });
    },
  );
});

describe("the node:test example", () => {
  it("passes from its recordings, and its rows are an iteration", { timeout: 120_000 }, async () => {
    await using project = await exampleProject(["node-test", "conventional-comments"]);
    const folder = project.path("examples", "node-test");
    const tested = await project.node(["--test"], {}, folder);
    expect(tested).toMatchObject({ code: 0 });
    expect(tested.out).toContain("# pass 2");
    expect(tested.out).toContain("# skipped 0");
    const reported = await project.node(["report.js"], {}, folder);
    expect(reported).toMatchObject({ code: 0, out: "by-hand: failed\n", err: "" });
    const summaries = await project.summaries(join(folder, ".assay"));
    expect(summaries["conventional-comments.comments.test/iteration-1"]).toMatchObject({ verdict: "passed" });
    expect(summaries["by-hand/iteration-1"]?.cases).toMatchObject([{ stability: 0.5 }]);
    const command = project.path("node_modules", "assay", "bin", "assay.js");
    const shown = await project.node([command, "show", "by-hand"], {}, folder);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.out).toContain("Looks slow.");
    const trend = await project.node([command, "trend", "by-hand"], {}, folder);
    expect(trend).toMatchObject({ code: 0 });
    expect(trend.out).toContain("50 %");
  });
});

it("the recordings of the examples name no machine and hold no key", async () => {
  const names = (await readdir(EXAMPLES, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  expect(names.length).toBeGreaterThan(20);
  const texts = await Promise.all(names.map((name) => readFile(join(EXAMPLES, name), "utf8")));
  const traces = /\/(?:tmp|home|root|Users|work)\/|127\.0\.0\.1|any-key|sk-ant|Bearer /;
  expect(names.filter((_, at) => traces.test(texts[at] ?? ""))).toEqual([]);
});

it("docs/test-runners.md shows the examples as they are, and a first test of at most ten lines", async () => {
  const page = await readFile(join(EXAMPLES, "..", "docs", "test-runners.md"), "utf8");
  const [first = ""] = /(?<=```js\n)import[\s\S]*?(?=```)/.exec(page) ?? [];
  expect(first.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  const example = await readFile(join(EXAMPLES, "vitest", "release-notes.test.js"), "utf8");
  const script = await readFile(join(EXAMPLES, "node-test", "report.js"), "utf8");
  const shown = [...example.matchAll(/^test\("(?:mostly saves|answers with)[\s\S]*?^}\);$/gm)].map(
    ([text]) => text,
  );
  expect(shown).toHaveLength(2);
  for (const text of shown) expect(page).toContain(text);
  expect(page).toContain(script.trim());
});
