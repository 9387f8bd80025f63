import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { type Ended, environment, runNode } from "../support/run-node.ts";

const EXAMPLES = join(inject("builtPackage"), "examples");

async function inExamples(args: readonly string[], home: string): Promise<Ended> {
  return runNode(args, { cwd: EXAMPLES, env: environment(home) });
}

async function withHome<T>(act: (home: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "library-home-"));
  try {
    return await act(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

describe("the example program", () => {
  it("loads, runs and benches without a service, and says what came out", { timeout: 60_000 }, async () => {
    const ended = await withHome((home) => inExamples(["library/evaluate.mjs"], home));
    expect(ended).toMatchObject({ code: 0, err: "" });
    const [listed, evaluated, benched, ...more] = ended.out.trimEnd().split("\n");
    expect(listed).toBe("csv-report: 2 cases");
    expect(evaluated).toBe("csv-report: passed");
    expect(benched).toMatch(/^csv-report: \S.*, lift [1-9]\d* points with the skill$/);
    expect(more).toEqual([]);
  });
});

it("docs/library.md shows the example program as it is", async () => {
  const page = await readFile(join(EXAMPLES, "..", "docs", "library.md"), "utf8");
  const program = await readFile(join(EXAMPLES, "library", "evaluate.mjs"), "utf8");
  expect(page).toContain(`\`\`\`js\n${program}\`\`\``);
});

describe("the example extensions", () => {
  it("are an agent, a grader and a reporter of one's own", { timeout: 60_000 }, async () => {
    await withHome(async (home) => {
      const place = ["--case", "2", "--workspace", join(home, "results")];
      const parts = [
        "--config",
        "library/assay.config.mjs",
        "--harness",
        "script-only",
        "--reporter",
        "lines",
      ];
      const command = join(inject("builtPackage"), "bin", "assay.js");
      const ran = await inExamples([command, "run", "csv-report", ...place, ...parts, "--no-grade"], home);
      const done = "trial 2/with_skill/run-1 completed\n";
      expect(ran).toMatchObject({ code: 0, out: `${done}skill csv-report ungraded\n` });
      const agent = parts.indexOf("--harness");
      const graded = await inExamples(
        [command, "grade", "csv-report", ...place, ...parts.toSpliced(agent, 2)],
        home,
      );
      expect(graded).toMatchObject({ code: 3, out: "skill csv-report unfinished\n" });
      const grading = await gradingIn(join(home, "results"));
      expect(grading.expectations).toMatchObject([{ text: "report.md says Rows: 0", status: "passed" }]);
      expect(grading.unscored).toHaveLength(1);
    });
  });

  it("are short enough to be read in a minute", async () => {
    const most: Record<string, number> = { "evaluate.mjs": 30 };
    const files = (await readdir(join(EXAMPLES, "library"))).filter((name) => name.endsWith(".mjs"));
    expect(files).toContain("harness.mjs");
    const lengths = await Promise.all(
      files.map(async (name) => {
        const text = await readFile(join(EXAMPLES, "library", name), "utf8");
        return { name, lines: text.trimEnd().split("\n").length };
      }),
    );
    expect(lengths.filter(({ name, lines }) => lines > (most[name] ?? 20))).toEqual([]);
  });
});

async function gradingIn(
  results: string,
): Promise<{ readonly expectations: readonly object[]; readonly unscored: readonly object[] }> {
  const names = await readdir(results, { recursive: true });
  const path = names.find((one) => one.endsWith("grading.json")) ?? "";
  return JSON.parse(await readFile(join(results, path), "utf8"));
}
