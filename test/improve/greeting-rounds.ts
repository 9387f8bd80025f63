import { chmod, mkdir, writeFile } from "node:fs/promises";
import { splitCases } from "../../src/improve/loop/split-cases.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";

export const SKILL = `---
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

export function suggests(from: string, to: string, { rejected }: { rejected?: string } = {}): SimRule {
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

export const OTHER_SEED =
  [2, 3, 4, 5, 6].find((seed) => splitCases(["1", "2"], seed).heldOut[0] !== HELD_OUT[0]) ?? 1;

const compares = (when: object, one: number, two: number): SimRule => ({
  when: { system: "You compare two outputs", ...when },
  reply: { json: comparisonReplyOf(one, two) },
});

export const ANALYSIS: SimRule = {
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

export const JUDGE: readonly SimRule[] = [
  ANALYSIS,
  compares({ anywhere: "Hello, fair" }, 4, 4),
  compares({ anywhere: { regex: "output 1\\]\\][\\s\\S]*Hello, good[\\s\\S]*output 2\\]\\]" } }, 5, 2),
  compares({}, 2, 5),
];

export const SUGGESTIONS: readonly SimRule[] = [
  suggests("meh", "good"),
  suggests("good", "fair", { rejected: "awful" }),
  suggests("good", "awful"),
];

/** A skill that tells its agent which word to say; no model but the scripted one drafts and judges. */
export async function project(
  rules: readonly SimRule[] = [...SUGGESTIONS, ...JUDGE],
): Promise<ImproveProject> {
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

export function improveArgs(made: ImproveProject): readonly string[] {
  const agent = ["--harness", "command", "--command", made.path("agent.sh"), "--sandbox", "none"];
  return ["improve", "skills/greeter", ...agent, "--runs", "1", "--fresh-runs", "3"];
}

export function improve(made: ImproveProject, ...args: readonly string[]) {
  return made.assay(...improveArgs(made), ...args);
}

export async function history(made: ImproveProject) {
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

/** How often the agent ran. */
export async function runs(made: ImproveProject): Promise<number> {
  return (await made.text(".assay/runs.txt")).trim().split("\n").length;
}

/** The rounds once v1 is confirmed. */
export const ROWS = [
  ["v0", null, 0, "baseline", false],
  ["v1", "v0", 0.5, "won", true],
  ["v2", "v1", 0, "lost", false],
  ["v3", "v1", 0.5, "tie", false],
];

/** The first rounds while v1 leads and nothing is confirmed. */
export const UNCONFIRMED = [
  ["v0", null, 0, "baseline", true],
  ["v1", "v0", 0.5, "won", false],
];

/** Four versions once on the case to learn from, then two of them three times on both cases. */
export const ALL_RUNS = 4 + 2 * 3 * 2;
