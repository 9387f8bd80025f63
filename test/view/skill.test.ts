import { expect, it } from "vitest";
import type { SkillPage } from "../../src/domain/pages.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, SKILL } from "../support/greeters.ts";
import { visit } from "./kit.ts";

it(
  "tells which lines and files of the skill left traces in the runs that had it",
  { timeout: 60_000 },
  async () => {
    const text = SKILL(
      "Read `references/names.md` first.\nSay hello to everybody by name.\nNever use a script.",
    );
    const replies = [
      {
        when: { skill: true, prompt: "number 1" },
        steps: [
          { skill: "greeter" },
          { bash: "cat .claude/skills/greeter/references/names.md" },
          { text: "Hello" },
        ],
      },
      {
        when: { skill: true },
        steps: [{ skill: "greeter" }, { text: "I say hello to everybody. Hello" }],
      },
      { steps: [{ text: "Read `references/names.md` first. Never use a script." }] },
    ];
    await using project = await greeters(2, replies, {
      "skills/greeter/SKILL.md": text,
      "skills/greeter/references/names.md": "Ada\n",
      "skills/greeter/scripts/greet.py": "print()\n",
    });
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    await using visitor = await visit(project.root);
    const page = await visitor.page<SkillPage>(request.skill({ skill: "greeter", n: 1 }));
    expect({
      ...page,
      lines: page.lines.slice(-5).map(({ text: line, runs }) => [line, runs]),
    }).toMatchObject({
      loaded: page.runs,
      skipped: 0,
      files: [
        { path: "references/names.md", runs: page.runs / 2 },
        { path: "scripts/greet.py", runs: 0 },
      ],
      lines: [
        ["", null],
        ["Read `references/names.md` first.", page.runs / 2],
        ["Say hello to everybody by name.", page.runs / 2],
        ["Never use a script.", 0],
        ["", null],
      ],
    });
    expect(page.runs).toBeGreaterThan(0);
  },
);
