import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { IterationPage, OverviewPage } from "../../src/domain/pages.ts";
import type { RunPage, TimelinePage } from "../../src/domain/run-pages.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { LAYOUTS } from "../foreign/layouts.ts";
import { bmadFolder, clauditorFolder, laterBmadFolder, oddWorkspace } from "../foreign/workspaces.ts";
import { tempTree } from "../support/temp-tree.ts";
import { visit, type Visitor } from "./kit.ts";
import { pluginEvalResult } from "./plugin-eval.ts";

/** Every page of everything that was opened; none may be refused. */
async function everyPage(visitor: Visitor): Promise<readonly IterationPage[]> {
  const pages: IterationPage[] = [];
  const { skills } = await visitor.page<OverviewPage>(request.overview());
  for (const { skill, iterations } of skills)
    for (const { n } of iterations) {
      const page = await visitor.page<IterationPage>(request.iteration({ skill, n }));
      await visitor.page(request.feedback({ skill, n }));
      await visitor.page(request.triggers({ skill, n }));
      const trials = page.cases.flatMap(({ arms }) => arms.flatMap(({ runs }) => runs));
      for (const { trial } of trials) {
        await visitor.page(request.run({ skill, n, trial }));
        await visitor.page(request.timelineIndex({ skill, n, trial }));
        await visitor.page(request.timeline({ skill, n, trial }, 0));
      }
      pages.push(page);
    }
  return pages;
}

const verdictsIn = (page: IterationPage | undefined) =>
  page?.cases.flatMap(({ arms }) =>
    arms.map(({ variant, runs }) => [variant, runs.map(({ status, verdicts }) => `${status} ${verdicts}`)]),
  );

describe("results of claude plugin eval", () => {
  it("open with both arms, and count no grader that only one arm is held to", async () => {
    await using tree = await tempTree({
      "evals/results/2026-10-01/aggregate-result.json": JSON.stringify(pluginEvalResult({})),
      "evals/results/2026-10-02/aggregate-result.json": JSON.stringify(
        pluginEvalResult({ version: "1.1.0" }),
      ),
      "evals/results/notes/aggregate-result.json": JSON.stringify({ version: 1, counts: {} }),
    });
    await using visitor = await visit(tree.root, { folder: "evals/results" });
    const pages = await everyPage(visitor);
    expect(pages.map(({ at, iteration }) => [at.n, iteration.suite])).toEqual([
      [2, "csv-tools"],
      [1, "csv-tools"],
    ]);
    expect(
      pages[0]?.cases.map(({ caseId, prompt, checks }) => [caseId, prompt, checks.map(({ text }) => text)]),
    ).toEqual([
      ["orders", "Report on orders.csv", ["used-skill", "names-rows: Names every missing value.", "file"]],
    ]);
    expect(verdictsIn(pages[0])).toEqual([
      ["with_skill", ["completed upp", "completed uup", "timed-out ufp"]],
      ["without_skill", ["completed ufp", "completed ufp", "rate-limit uuu"]],
    ]);
  });

  it("show the stream that lies with them, and no file that they name elsewhere", async () => {
    const line = (text: string) =>
      `${JSON.stringify({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } })}\n`;
    await using tree = await tempTree({
      "results/aggregate-result.json": "",
      "results/traces/orders-with-0.jsonl": line("I count the rows"),
      "private/history.jsonl": line("a secret of mine"),
      "results/traces/link.jsonl": "->../../private/history.jsonl",
    });
    const said = async (trace: string) => {
      await writeFile(
        tree.path("results/aggregate-result.json"),
        JSON.stringify(pluginEvalResult({ trace })),
      );
      await using visitor = await visit(tree.root, { folder: "results" });
      const [page] = await everyPage(visitor);
      const run = { skill: page?.at.skill ?? "", n: 1, trial: "orders/with_skill/run-1" };
      return JSON.stringify(await visitor.page<TimelinePage>(request.timeline(run, 0)));
    };
    expect(await said("traces/orders-with-0.jsonl")).toContain("I count the rows");
    for (const elsewhere of [
      tree.path("private/history.jsonl"),
      "../private/history.jsonl",
      "traces/link.jsonl",
    ])
      expect(await said(elsewhere)).not.toContain("a secret of mine");
  });

  it.each<[string, unknown]>([
    [
      "runs that say nothing",
      [
        { name: "a", arms: {} },
        { name: "b", arms: { with: [{}] } },
      ],
    ],
    [
      "odd graders",
      [{ name: "a", graders: [null, {}], arms: { with: [{ graders: [{ name: "x" }, 5], error: 9 }] } }],
    ],
  ])("open with %s", async (_, cases) => {
    const result = { schemaVersion: 1, suite: [], cases };
    await using tree = await tempTree({ "results/aggregate-result.json": JSON.stringify(result) });
    await using visitor = await visit(tree.root, { folder: "results" });
    expect(await everyPage(visitor)).toHaveLength(1);
  });

  it("are refused in words where no run can be told from another", async () => {
    const result = { schemaVersion: 1, cases: [{ name: 7, arms: { with: "x", without: [null, 3] } }] };
    await using tree = await tempTree({ "results/aggregate-result.json": JSON.stringify(result) });
    await expect(visit(tree.root, { folder: "results" })).rejects.toThrow(/has no run that can be read/);
  });
});

describe("results of other tools", () => {
  it.each([
    ...Object.entries(LAYOUTS).map(([name, make]) => [name, make("greeter-workspace", true).files] as const),
    ["clauditor", clauditorFolder()] as const,
    ["BMad's first generation", bmadFolder()] as const,
    ["BMad's later ones", laterBmadFolder()] as const,
    ["an odd workspace", oddWorkspace()] as const,
  ])("open on every page: %s", async (_, files) => {
    await using tree = await tempTree(files);
    const [first = ""] = Object.keys(files);
    await using visitor = await visit(tree.root, { folder: first.split("/")[0] ?? "" });
    const pages = await everyPage(visitor);
    expect(pages.length).toBeGreaterThan(0);
    const { at, cases } = pages[0] ?? { at: { skill: "", n: 0 }, cases: [] };
    const trial = cases[0]?.arms[0]?.runs[0]?.trial ?? "";
    const run = await visitor.page<RunPage>(request.run({ ...at, trial }));
    expect(run.grading?.verdicts.length ?? 0).toBeGreaterThan(0);
  });
});
