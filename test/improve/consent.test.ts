import { chmod } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = `---
name: greeter
description: Greets people by name.
---

Say hello, meh.
`;

const SETUP = "echo prepared > prepared.txt";

const EVAL = `timestamp: 2026-01-01T00:00:00Z
name: greeter
prompt: Greet Ada
expected: a greeting
setup: ${SETUP}
assertions:
  - type: contains
    value: perfect
`;

const AGENT = `#!/bin/bash
cat > /dev/null
sed -n 's/^Say hello, //p' .claude/skills/greeter/SKILL.md
`;

const RULES: readonly SimRule[] = [
  {
    when: { system: "You improve the instructions" },
    reply: {
      json: {
        summary: "Be perfect.",
        edits: [
          {
            anchor: "hello, meh.",
            replacement: "hello, perfect.",
            rationale: "it is asked for",
            motivated_by: ["001/assertion-1"],
          },
        ],
      },
    },
  },
  { when: { system: "You compare two outputs" }, reply: { json: comparisonReplyOf(2, 5) } },
];

async function project(): Promise<ImproveProject> {
  const made = await improveProject(
    {
      "skills/greeter/SKILL.md": SKILL,
      "skills/greeter/evals/001.yaml": EVAL,
      "agent.sh": AGENT,
    },
    RULES,
  );
  await chmod(made.path("agent.sh"), 0o755);
  return made;
}

describe("assay improve at a terminal", { timeout: 60_000 }, () => {
  it("shows a script before it asks whether to run it, once for all versions", async () => {
    await using made = await project();
    const asked: { readonly question: string; readonly shown: string }[] = [];
    const { err } = await improve(made, (question, shown) => {
      asked.push({ question, shown });
      return "y";
    });
    expect(asked.map(({ question }) => question)).toEqual(["Run this script? [y/N] "]);
    expect(asked[0]?.shown).toContain(`  | ${SETUP}\n`);
    expect(err.split(SETUP)).toHaveLength(2);
    expect(err).toContain("v0: running the cases");
    expect(err).toContain("v1: running the cases");
  });

  it("runs nothing when the answer is no", async () => {
    await using made = await project();
    const { exitCode, err } = await improve(made, () => "n");
    expect(err).toContain("the scripts were refused, so nothing was run");
    expect(exitCode).toBe(2);
  });
});

async function improve(made: ImproveProject, answer: (question: string, shown: string) => string) {
  await using home = await tempTree();
  const agent = ["--harness", "command", "--command", made.path("agent.sh"), "--sandbox", "none"];
  return await assay(
    ["improve", "skills/greeter", ...agent, "--runs", "1", "--rounds", "1", "--allow-missing", "1"],
    {
      cwd: made.root,
      env: { ...made.env, XDG_CONFIG_HOME: home.root },
      answer,
    },
  );
}
