import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { expectArtifacts, onlyComparison } from "./artifacts.ts";
import { BUILTIN, csvReport, type ExampleProject, releaseNotes, type Rule } from "./example-project.ts";

const COMPARE = ["compare", "1", "2", "--analyze", "--transport", "api"];
const GRADING = ".assay/csv-report/grading/iteration-2-vs-iteration-1";
const NO_KEY = { PATH: "/usr/bin:/bin" };

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(`${folder}/${name}`, "utf8")] as const),
    ),
  );
}

/** The folder as it was written, which is then gone. */
async function taken(project: ExampleProject, folder: string): Promise<Record<string, string>> {
  const files = await filesIn(project.path(folder));
  await rm(project.path(folder), { recursive: true });
  return files;
}

describe("a recorded comparison", () => {
  it("of iterations gives the same files without a key or a server", async () => {
    await using project = await csvReport();
    const recorded = await project.assay(...COMPARE, "--record");
    const before = await taken(project, GRADING);
    await project.sim.close();
    const replayed = await assay([...COMPARE, "--replay"], { cwd: project.root, env: NO_KEY });
    expect(replayed).toEqual(recorded);
    expect(await filesIn(project.path(GRADING))).toEqual(before);
    await expectArtifacts(project, GRADING, "csv-report-iterations");
  });

  it("of judges who differ gives each its own answers again", async () => {
    await using project = await csvReport(DIFFERING);
    await project.assay(...COMPARE, "--record");
    const before = await taken(project, GRADING);
    expect(new Set([1, 2, 3].map((k) => reasoning(before[`comparison-${k}.json`]))).size).toBe(3);
    await project.sim.close();
    for (let time = 0; time < 3; time++) {
      await assay([...COMPARE, "--replay"], { cwd: project.root, env: NO_KEY });
      expect(await filesIn(project.path(GRADING))).toEqual(before);
    }
  });

  it("of versions replays their runs, too", async () => {
    await using project = await releaseNotes();
    const args = ["compare", "v1.0", "HEAD", "--skill", ".", "--analyze", "--pairs", "2", ...BUILTIN];
    const tapes = ["--cassettes", "cassettes"];
    const recorded = await project.assay(...args, ...tapes, "--record");
    expect(recorded.exitCode).toBe(0);
    const folder = await onlyComparison(project);
    await project.sim.close();
    const replayed = await assay([...args, ...tapes, "--replay"], { cwd: project.root, env: NO_KEY });
    expect(replayed.err).not.toContain("replay miss");
    expect(replayed.exitCode).toBe(0);
    const [one, two] = (await readdir(project.path(".assay/comparisons"))).toSorted();
    const other = `.assay/comparisons/${folder.endsWith(`/${one}`) ? two : one}`;
    const [then, now] = [await filesIn(project.path(folder)), await filesIn(project.path(other))];
    const renamed = Object.entries(now).map(([name, text]) => [
      name,
      text.replaceAll("iteration-2/", "iteration-1/"),
    ]);
    expect(Object.fromEntries(renamed)).toEqual(then);
  });

  it("of versions that have changed since decides nothing, and says why", async () => {
    await using project = await releaseNotes();
    const args = ["compare", "v1.0", "HEAD", "--skill", ".", ...BUILTIN];
    await project.assay(...args, "--record");
    await project.sim.close();
    await appendFile(project.path("SKILL.md"), "\nOne line more.\n");
    project.git("commit", "-qam", "more");
    const { out, err, exitCode } = await assay([...args, "--replay"], { cwd: project.root, env: NO_KEY });
    expect(out).toBe("");
    expect(err).toContain("replay miss: changed since it was recorded: skill");
    expect(err).toContain(
      "note: case release-notes is not compared: no run of HEAD counts (left out as invalid)\n" +
        "nothing was compared: no case has runs on both sides that count\n",
    );
    expect(exitCode).toBe(3);
  });

  it("that misses a question says so, and decides nothing", async () => {
    await using project = await csvReport();
    await project.assay(...COMPARE, "--case", "1", "--record");
    await project.sim.close();
    const { out, err, exitCode } = await assay([...COMPARE, "--replay"], { cwd: project.root, env: NO_KEY });
    expect(out).toContain("of 6 votes: 3 for iteration-2, 0 for iteration-1, 3 unscored");
    expect(out).toContain("2: not judged");
    expect(out).toMatch(/unscored: .*replay miss: no answer was recorded to this question: "The task:/);
    expect(err).toContain(
      "note: 6 questions to judges had no recorded answer in .assay/cassettes; repeat the command with --replay=auto to ask and record what is missing",
    );
    expect(exitCode).toBe(3);
  });

  it("is missed once the runs have changed", async () => {
    await using project = await csvReport();
    await project.assay(...COMPARE, "--record");
    await project.sim.close();
    const report = ".assay/csv-report/iteration-2/eval-1-orders/with_skill/run-1/outputs/report.md";
    await writeFile(project.path(report), "# Another report\n");
    const { out, exitCode } = await assay([...COMPARE, "--replay"], { cwd: project.root, env: NO_KEY });
    expect(out).toContain("replay miss");
    expect(exitCode).toBe(3);
  });
});

function reasoning(text: string | undefined): string {
  return (JSON.parse(text ?? "{}") as { reasoning: string }).reasoning;
}

/** Three judges with three opinions, the first of whom takes longest. */
function DIFFERING(rules: readonly Rule[]): readonly Rule[] {
  return ["orders, counted first", "orders, counted second"].flatMap((name) => {
    const rule = rules.find((one) => one.name === name);
    return [1, 2, 3].map((judge) => {
      const reply = JSON.parse(JSON.stringify(rule?.["reply"])) as { json: Record<string, unknown> };
      reply.json["reasoning"] = `Opinion ${judge} of output 1 and output 2.`;
      return { ...rule, name: `${name}, ${judge}`, reply, times: 1, fault: { delayMs: 200 - 60 * judge } };
    });
  });
}
