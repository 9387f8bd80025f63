import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import type { GradingFile } from "../../src/store/write/grading.ts";
import { expectGolden } from "../support/golden.ts";
import { fixture, type JudgedProject, judgedProject } from "../support/judged-project.ts";

/** The four formats from eval file to artifacts: a scripted agent, a scripted judge behind the real gateway, every layer. */
const FORMATS = [
  {
    format: "clauditor",
    skill: "find-kid-activities",
    run: [".claude/commands/find-kid-activities.md"],
    exitCode: 0,
    layers: { L1: [25, 25], L2: [50, 50], L3: [15, 15], trigger: [12, 12] },
    // Five runs of the same text: each question is asked once.
    calls: 2,
  },
  {
    format: "skillet",
    skill: "meeting-notes",
    run: ["evals/meeting-notes", "--skill", "skills/meeting-notes", "--trust"],
    exitCode: 1,
    layers: { L1: [5, 5], L3: [1, 2] },
    calls: 2,
  },
  {
    format: "bmad",
    skill: "glossary",
    run: ["skills/glossary"],
    exitCode: 0,
    layers: { L1: [3, 3], L3: [5, 5], trigger: [6, 6] },
    calls: 2,
  },
  {
    format: "skill-creator",
    skill: "unit-table",
    run: ["skills/unit-table"],
    exitCode: 1,
    layers: { L1: [3, 3], L3: [4, 5] },
    calls: 2,
  },
] as const;

describe.each(FORMATS)("$format, end to end", ({ format, skill, run, exitCode, layers, calls }) => {
  it("gives the expected verdicts in every layer, and the artifacts that were reviewed", async () => {
    await using project = await judgedProject(format);
    const [target, ...args] = run;
    const outcome = await project.run(target, ...args, "--concurrency", "1");
    expect(outcome.err).not.toContain("error");
    expect(outcome).toMatchObject({ exitCode });
    const root = project.path(`.assay/${skill}/iteration-1`);
    const summary = await project.json<Summary>(`.assay/${skill}/iteration-1/summary.json`);
    const rates = summary.variants.find(({ variant }) => variant === "with_skill")?.layers;
    expect(
      Object.fromEntries(
        Object.entries(rates ?? {}).map(([layer, { passed, total }]) => [layer, [passed, total]]),
      ),
    ).toEqual(layers);
    expect(summary.missing).toMatchObject({ notRun: 0, leftOut: {}, unscoredChecks: 0 });
    expect(project.sim.unmatched).toEqual([]);
    expect(project.sim.requests).toHaveLength(calls);
    await expectGolden(fixture(format, "golden"), {
      root,
      files: await reviewed(root),
      project: project.root,
    });
  });

  it("is graded again from what is stored, with the same verdicts and without a question", async () => {
    await using project = await judgedProject(format);
    const [target, ...args] = run;
    await project.run(target, ...args);
    const before = await gradings(project, skill);
    const asked = project.sim.requests.length;
    const again = await project.assay("grade", skill);
    expect(again).toMatchObject({ exitCode });
    expect(project.sim.requests).toHaveLength(asked);
    expect(await gradings(project, skill)).toEqual(before);
  });
});

/** What grading and reporting wrote; of equal runs the first. */
async function reviewed(root: string): Promise<readonly string[]> {
  const names = new Set([
    "grading.json",
    "assertions.json",
    "extraction.json",
    "summary.json",
    "triggers.json",
    "eval_metadata.json",
  ]);
  return (await files(root)).filter(
    (path) =>
      names.has(path.split("/").at(-1) ?? "") && !path.startsWith("triggers/") && !/run-[2-9]/.test(path),
  );
}

async function files(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}

/** By run folder: every run's report is kept. */
async function gradings(project: JudgedProject, skill: string): Promise<Record<string, unknown>> {
  const root = project.path(`.assay/${skill}/iteration-1`);
  const found = (await files(root)).filter((path) => path.endsWith("/grading.json"));
  return Object.fromEntries(
    await Promise.all(
      found.map(async (path) => {
        const text = await readFile(join(root, path), "utf8");
        // That an answer was remembered is all that may differ.
        const forgetful = (key: string, value: unknown) => (key === "cached" ? undefined : value);
        const { timing: _timing, ...rest } = JSON.parse(text, forgetful) as GradingFile;
        return [path, rest] as const;
      }),
    ),
  );
}
