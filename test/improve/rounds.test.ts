import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { splitCases } from "../../src/improve/loop/split-cases.ts";
import { assay } from "../support/command-line.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { tempTree } from "../support/temp-tree.ts";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";

const SKILL = `---
name: greeter
description: Greets people by name.
---

Say hello, meh.
`;

/** Says what the last word of the skill is, where it finds itself in the project. */
const AGENT = `#!/bin/bash
cat > /dev/null
echo run >> "RUNS"
word=$(sed -n 's/^Say hello, \\(.*\\)\\.$/\\1/p' .claude/skills/greeter/SKILL.md)
[ -f agent.sh ] && echo "Hello, $word."
`;

const CASES = ["Ada", "Bob"].map((name, index) => ({
  id: index + 1,
  prompt: `Greet ${name}`,
  assay: {
    checks: [
      { type: "regex", pattern: "good|fair" },
      { type: "contains", needle: "perfect" },
    ],
  },
}));

const FAILS = "contains:perfect";

function suggests(from: string, to: string, { rejected }: { rejected?: string } = {}): SimRule {
  const edit = { anchor: `hello, ${from}.`, replacement: `hello, ${to}.`, rationale: `${to} is better` };
  const seen = rejected === undefined ? "" : `[\\s\\S]*by: hello, ${rejected}\\.`;
  return {
    name: `suggest ${to}`,
    when: {
      system: "You improve the instructions",
      anywhere: { regex: `Say hello, ${from}\\.${seen}` },
    },
    reply: {
      json: {
        summary: `Say ${to}.`,
        edits: [{ ...edit, motivated_by: TRAIN.map((id) => `${id}/${FAILS}`).slice(0, 1) }],
      },
    },
  };
}

const { train: TRAIN, heldOut: HELD_OUT } = splitCases(["1", "2"], 1);

const OTHER_SEED =
  [2, 3, 4, 5, 6].find((seed) => splitCases(["1", "2"], seed).heldOut[0] !== HELD_OUT[0]) ?? 1;

const compares = (when: object, one: number, two: number): SimRule => ({
  when: { system: "You compare two outputs", ...when },
  reply: { json: comparisonReplyOf(one, two) },
});

const ANALYSIS: SimRule = {
  when: { system: "You explain why two versions" },
  reply: {
    json: {
      execution_pattern: { run_1: "greet", run_2: "greet" },
      instruction_following: { run_1: { issues: [], score: 9 }, run_2: { issues: [], score: 9 } },
      strengths: [],
      weaknesses: [],
      suggestions: [],
    },
  },
};

const JUDGE: readonly SimRule[] = [
  ANALYSIS,
  compares({ anywhere: "Hello, fair" }, 4, 4),
  compares({ anywhere: { regex: "output 1\\]\\][\\s\\S]*Hello, good[\\s\\S]*output 2\\]\\]" } }, 5, 2),
  compares({}, 2, 5),
];

const SUGGESTIONS: readonly SimRule[] = [
  suggests("meh", "good"),
  suggests("good", "fair", { rejected: "awful" }),
  suggests("good", "awful"),
];

async function project(rules: readonly SimRule[] = [...SUGGESTIONS, ...JUDGE]): Promise<ImproveProject> {
  const made = await improveProject(
    {
      "skills/greeter/SKILL.md": SKILL,
      "skills/greeter/reference.md": "Many greetings.\n",
      "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals: CASES }),
      "agent.sh": "",
    },
    rules,
  );
  await mkdir(made.path(".assay"));
  await writeFile(made.path("agent.sh"), AGENT.replace("RUNS", made.path(".assay/runs.txt")));
  await chmod(made.path("agent.sh"), 0o755);
  made.git("commit", "-qam", "agent");
  return made;
}

function improveArgs(made: ImproveProject): readonly string[] {
  const agent = ["--harness", "command", "--command", made.path("agent.sh"), "--sandbox", "none"];
  return ["improve", "skills/greeter", ...agent, "--runs", "1"];
}

function improve(made: ImproveProject, ...args: readonly string[]) {
  return made.assay(...improveArgs(made), ...args);
}

async function history(made: ImproveProject) {
  const file = JSON.parse(await made.text(".assay/greeter/history.json")) as {
    readonly current_best: string;
    readonly iterations: readonly Readonly<Record<string, unknown>>[];
  };
  return {
    ...file,
    rows: file.iterations.map((one) => [
      one["version"],
      one["parent"],
      one["expectation_pass_rate"],
      one["grading_result"],
      one["is_current_best"],
    ]),
  };
}

async function runs(made: ImproveProject): Promise<number> {
  return (await made.text(".assay/runs.txt")).trim().split("\n").length;
}

const ROWS = [
  ["v0", null, 0, "baseline", false],
  ["v1", "v0", 0.5, "won", true],
  ["v2", "v1", 0, "lost", false],
  ["v3", "v1", 0.5, "tie", false],
];

describe("assay improve", { timeout: 60_000 }, () => {
  it("goes on round by round, with nothing run or asked twice", async () => {
    await using whole = await project();
    await improve(whole, "--rounds", "3");
    await using made = await project();
    for (const rounds of ["1", "1", "2", "3", "3"])
      expect((await improve(made, "--rounds", rounds)).exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS);
    expect(await runs(made)).toBe(await runs(whole));
    expect(made.sim.requests.length).toBe(whole.sim.requests.length);
  });

  it.each([
    ["analyzing", 1, { when: { system: "You explain why two versions", anywhere: "Hello, awful" } }],
    ["proposing", 1, { when: { system: "You improve the instructions", anywhere: "hello, good" } }],
    ["comparing", 12, { when: { system: "You compare two outputs", anywhere: "Hello, awful" } }],
  ])("ends when a model fails at %s, and goes on from there", async (_, times, rule) => {
    const fault = { ...rule, fault: { status: 400 }, times };
    await using made = await project([fault, ...SUGGESTIONS, ...JUDGE]);
    const cut = await improve(made, "--rounds", "3");
    expect(cut.exitCode).toBe(3);
    expect((await history(made)).rows).toEqual(ROWS.slice(0, 2));
    const paid = await runs(made);
    expect((await improve(made, "--rounds", "3")).exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS);
    expect(await runs(made)).toBe(8);
    expect(paid).toBeLessThan(8);
  });

  it("goes on without an analysis that cannot be had the second time either", async () => {
    const fault = { when: ANALYSIS["when"], fault: { status: 400 }, times: 2 };
    await using made = await project([fault, ...SUGGESTIONS, ...JUDGE]);
    const cut = await improve(made, "--rounds", "1");
    expect(cut.err).toContain("v1 against v0 was not analyzed: api: 400");
    expect(cut.exitCode).toBe(3);
    const again = await improve(made, "--rounds", "1");
    expect(again.err).toContain("; the next draft does without");
    expect(again.exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS.slice(0, 2));
  });

  it("can be interrupted while agents run", async () => {
    await using made = await project();
    const running = improve(made, "--rounds", "3", "--concurrency", "1");
    while ((await made.text(".assay/runs.txt").catch(() => "")).length < 4 * 3)
      await new Promise((next) => setTimeout(next, 20));
    process.emit("SIGINT");
    expect((await running).exitCode).toBe(130);
    expect((await improve(made, "--rounds", "3")).exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS);
    expect(await runs(made)).toBeLessThanOrEqual(9);
  });

  it("refuses what it would overwrite or mix up, and writes nothing", async () => {
    await using made = await project();
    await improve(made, "--rounds", "1");
    const kept = await made.text(".assay/greeter/history.json");
    await writeFile(made.path("skills/greeter/SKILL.md"), `${SKILL}Mine.\n`);
    const uncommitted = await improve(made, "--apply");
    expect(uncommitted).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("not committed") as string,
    });
    const byHand = await improve(made);
    expect(byHand).toMatchObject({ exitCode: 2, err: expect.stringContaining("changed by hand") as string });
    await writeFile(made.path("skills/greeter/SKILL.md"), SKILL);
    const otherSeed = await improve(made, "--seed", String(OTHER_SEED));
    expect(otherSeed).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("begun with another") as string,
    });
    expect(await made.text(".assay/greeter/history.json")).toBe(kept);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
  });

  it("does not overwrite a skill that was changed while it was at work", async () => {
    await using made = await project();
    const skill = made.path("skills/greeter/SKILL.md");
    const meddling = `${await made.text("agent.sh")}[ "$word" = good ] && echo Mine. >> "${skill}"\ntrue\n`;
    await writeFile(made.path("agent.sh"), meddling);
    const { exitCode, err } = await improve(made, "--rounds", "1", "--apply");
    expect(err).toContain("v1: won, adopted");
    expect(err).toContain("skills/greeter/SKILL.md has changes that are not committed");
    expect(exitCode).toBe(2);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(`${SKILL}Mine.\nMine.\n`);
    made.git("checkout", "-q", "skills");
    expect((await improve(made, "--rounds", "1", "--apply")).exitCode).toBe(0);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL.replace("meh", "good"));
    expect(await runs(made)).toBe(4);
  });

  it("refuses the workspace of another skill", async () => {
    await using made = await project();
    await mkdir(made.path(".assay/greeter"));
    const foreign = {
      started_at: "2026-01-15T10:30:00Z",
      skill_name: "pdf",
      current_best: "v0",
      iterations: [],
    };
    const entry = {
      version: "v0",
      parent: null,
      expectation_pass_rate: 1,
      grading_result: "baseline",
      is_current_best: true,
    };
    const ours = { ...entry, adopted: true, iteration: 1 };
    for (const [iterations, says] of [
      [[entry], "not a history that can be gone on with"],
      [[ours], 'is about the skill "pdf", not "greeter"'],
    ] as const) {
      const text = JSON.stringify({ ...foreign, iterations });
      await writeFile(made.path(".assay/greeter/history.json"), text);
      const { exitCode, err } = await improve(made);
      expect(err).toContain(says);
      expect(exitCode).toBe(2);
      expect(await made.text(".assay/greeter/history.json")).toBe(text);
    }
  });

  it("sets an earlier history aside when told to begin anew", async () => {
    await using made = await project();
    await improve(made, "--rounds", "1");
    await writeFile(made.path("skills/greeter/SKILL.md"), `${SKILL}More.\n`);
    const { err } = await improve(made, "--rounds", "1", "--restart");
    expect(err).toContain("the earlier history is now in");
    expect(await made.text(".assay/greeter/earlier-1/v0/skill/SKILL.md")).toBe(SKILL);
    expect(await made.text(".assay/greeter/v0/skill/SKILL.md")).toBe(`${SKILL}More.\n`);
  });

  it("leaves comparisons of iterations where they are", async () => {
    await using made = await project();
    const compared = ".assay/greeter/grading/iteration-2-vs-iteration-1/outcome.json";
    await improve(made, "--rounds", "1");
    await mkdir(made.path(dirname(compared)), { recursive: true });
    await writeFile(made.path(compared), "{}");
    await improve(made, "--rounds", "1", "--restart");
    expect(await made.text(compared)).toBe("{}");
    expect(await made.text(".assay/greeter/earlier-1/grading/v1-vs-v0/outcome.json")).toContain('"v1"');
  });

  it("refuses without a model before anything runs", async () => {
    await using made = await project();
    const { exitCode, err } = await assay(improveArgs(made), {
      cwd: made.root,
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(err).toContain("there is no model that could propose anything");
    expect(exitCode).toBe(2);
    await expect(made.text(".assay/runs.txt")).rejects.toThrow("ENOENT");
  });

  it("runs versions in the project, wherever results go", async () => {
    await using made = await project();
    await using elsewhere = await tempTree();
    const { exitCode } = await improve(made, "--rounds", "1", "--workspace", elsewhere.root);
    expect(exitCode).toBe(0);
    const text = await readFile(elsewhere.path("greeter/history.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ current_best: "v1" });
  });

  it("asks for cases with checks", async () => {
    await using made = await project();
    await writeFile(
      made.path("skills/greeter/evals/evals.json"),
      JSON.stringify({ evals: [{ id: 1, prompt: "x" }] }),
    );
    const { exitCode, err } = await improve(made);
    expect(err).toContain("has no case with checks");
    expect(exitCode).toBe(2);
  });
});
