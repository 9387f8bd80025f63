import { chmod } from "node:fs/promises";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";

export const SKILL = `---
name: greeter
description: Greets people by name.
---

Say hello, meh.
`;

/** What the only case has run before the agent. */
export const SETUP = "echo prepared > prepared.txt";

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
  {
    when: {
      system: "You compare two outputs",
      anywhere: { regex: "output 1\\]\\][\\s\\S]*perfect[\\s\\S]*output 2\\]\\]" },
    },
    reply: { json: comparisonReplyOf(5, 2) },
  },
  { when: { system: "You compare two outputs" }, reply: { json: comparisonReplyOf(2, 5) } },
  {
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
  },
];

/** A skill that one round makes better, with a case that has a script. `agent.sh` plays the agent. */
export async function scriptedGreeter(): Promise<ImproveProject> {
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
