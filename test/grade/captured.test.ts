import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Calibration } from "../../src/grade/calibrate.ts";
import { fixture, type JudgedProject, judgedProject } from "../support/judged-project.ts";
import { assay } from "../support/command-line.ts";

const COMMAND = ".claude/commands/find-kid-activities.md";

async function goodOutput(): Promise<string> {
  const { replies } = JSON.parse(await readFile(fixture("clauditor", "agent.json"), "utf8")) as {
    replies: { steps: { write?: { content: string } }[] }[];
  };
  return replies[0]?.steps.find(({ write }) => write !== undefined)?.write?.content ?? "";
}

async function withOutput(text: string): Promise<JudgedProject> {
  const project = await judgedProject("clauditor");
  await writeFile(project.path("answer.txt"), text);
  return project;
}

describe("assay grade --output", () => {
  it("grades a captured text in all layers, warns about input files, and writes nothing", async () => {
    // The judge is shown the text itself here, so its quotes are found there, whatever file they once stood in.
    await using project = await withOutput(await goodOutput());
    const { exitCode, out, err } = await project.assay("grade", "--output", "answer.txt", "--skill", COMMAND);
    expect(err).toBe("WARNING: --output bypasses the runner; input_files declaration is ignored.\n");
    expect(out).toContain(
      "find-kid-activities on answer.txt: 18 of 18 checks passed; judged by claude-sonnet-4-6",
    );
    expect(out).toContain("+ (judge) Are all venues within the specified distance?");
    expect(exitCode).toBe(0);
    expect(existsSync(project.path(".assay"))).toBe(false);
  });

  it("fails what does not hold, failures first, and gives everything as JSON", async () => {
    await using project = await withOutput("Venues: none. Error 500.");
    const plain = await project.assay(
      "grade",
      "--output",
      "answer.txt",
      "--evals",
      COMMAND.replace(".md", ".eval.json"),
    );
    expect(plain.out.split("\n")[1]).toMatch(/^ {2}x the output has at least 3 numbered entries/);
    const json = await project.assay(
      "grade",
      "--output",
      "answer.txt",
      "--skill",
      COMMAND,
      "--json",
      "--only",
      "no_error",
    );
    expect(json).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(json.out)).toMatchObject({
      runs: [
        {
          caseId: "find-kid-activities",
          meetsGate: false,
          verdicts: [{ checkId: "no_error", status: "failed" }],
        },
      ],
    });
  });

  it("leaves unscored what a text alone cannot show", async () => {
    await using project = await judgedProject("bmad");
    await writeFile(project.path("answer.txt"), 'done\n```json\n{"status": "complete"}\n```\n');
    const call = [
      "grade",
      "--output",
      "answer.txt",
      "--skill",
      "skills/glossary",
      "--case",
      "A1",
      "--only",
      "final_json",
      "--only",
      "file_matches",
    ];
    const { exitCode, out } = await project.assay(...call);
    expect(out).toContain("1 of 2 checks passed");
    expect(out).toContain("only a captured output is graded");
    expect(exitCode).toBe(3);
    expect(await project.assay(...call, "--allow-missing", "1")).toMatchObject({ exitCode: 0 });
  });

  it("works without any judge where code can decide", async () => {
    await using project = await withOutput("No trouble.");
    const call = ["grade", "--output", "answer.txt", "--skill", COMMAND, "--only", "no_error"];
    expect(await assay(call, { cwd: project.root, env: { PATH: "/usr/bin:/bin" } })).toMatchObject({
      exitCode: 0,
    });
    const judged = await assay([...call, "--only", "distance"], {
      cwd: project.root,
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(judged).toMatchObject({ exitCode: 3 });
    expect(judged.out).toContain("no judge is configured");
  });

  it.each([
    [["--output", "answer.txt"], "grade/no-target"],
    [["--output", "nope.txt", "--skill", "skills/glossary", "--case", "A1"], "grade/no-output"],
    [["--output", "answer.txt", "--skill", "skills/glossary"], "grade/which-case"],
    [["--output", "answer.txt", "skills/glossary"], "grade/which-case"],
    [["--output", "answer.txt", "--skill", "skills/glossary", "--case", "Z9"], "grade/nothing-selected"],
  ])("refuses %j", async (args, code) => {
    await using project = await judgedProject("bmad");
    await writeFile(project.path("answer.txt"), "text");
    const { exitCode, err } = await project.assay("grade", ...args);
    expect(err).toContain(code);
    expect(exitCode).toBe(2);
  });
});

describe("assay grade --calibrate", () => {
  it("compares the judge with labelled outputs and runs", async () => {
    await using project = await judgedProject("skill-creator");
    await project.run("skills/unit-table");
    await writeFile(
      project.path("labels.yaml"),
      [
        "outputs:",
        "  - run: eval-1-lengths/with_skill/run-1",
        "    labels: { expectation-1: true, The answer names the units that were converted: false }",
        "  - run: 2/with_skill/run-1",
        "    labels: { expectation-2: false }",
        "  - text: I do not know the unit smoot.",
        "    labels: { The answer says that smoot is not a known unit: true }",
        "  - run: eval-9/with_skill/run-1",
        "    labels: { expectation-1: true }",
        "",
      ].join("\n"),
    );
    const call = ["grade", "--calibrate", "labels.yaml", "--skill", "skills/unit-table"];
    const json = await project.assay(...call, "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      labels: 5,
      compared: 4,
      unmatched: 1,
      accuracy: 0.75,
      confusion: { bothPassed: 2, onlyJudgePassed: 1, onlyPersonPassed: 0, bothFailed: 1 },
    } satisfies Partial<Calibration>);
    const { out, exitCode } = await project.assay(...call);
    expect(out).toContain("4 of 5 labels compared; 1 that the judge was never asked");
    expect(out).toMatch(
      /agreement 75 %, 95 % interval 24 to 97 %; kappa 0\.50 \(too few outputs for an interval\); over 3 outputs/,
    );
    expect(out).toMatch(/^The answer names the units that were converted +1 +0 % +\S+ +0 +1 +0 +0$/m);
    expect(exitCode).toBe(0);
  });

  it("takes a feedback.json: a run without a remark was good", async () => {
    await using project = await judgedProject("skill-creator");
    await project.run("skills/unit-table");
    const asked = project.sim.requests.length;
    const feedback = ".assay/unit-table/iteration-1/feedback.json";
    await writeFile(
      project.path(feedback),
      JSON.stringify({
        status: "complete",
        reviews: [
          { run_id: "eval-1-lengths-with_skill-run-1", feedback: "", timestamp: "2026-01-15T10:30:00Z" },
          { run_id: "eval-2-unknown-unit-with_skill-run-1", feedback: "it invents a factor", timestamp: "" },
        ],
      }),
    );
    const { out } = await project.assay("grade", "--calibrate", feedback, "--json");
    expect(JSON.parse(out)).toMatchObject({ compared: 2, accuracy: 1, kappa: 1 });
    expect(project.sim.requests).toHaveLength(asked);
  });

  it.each([
    ["outputs: []\n", "labels/unusable"],
    ["outputs:\n  - text: x\n    labels: { nonsense: true }\n", "labels/no-criterion"],
    ["outputs:\n  - output: nope.txt\n    labels: { expectation-1: true }\n", "grade/no-output"],
  ])("refuses %j", async (labels, code) => {
    await using project = await judgedProject("skill-creator");
    await writeFile(project.path("labels.yaml"), labels);
    const call = ["grade", "--calibrate", "labels.yaml", "--skill", "skills/unit-table", "--case", "1"];
    const { exitCode, err } = await project.assay(...call);
    expect(err).toContain(code);
    expect(exitCode).toBe(2);
  });
});
