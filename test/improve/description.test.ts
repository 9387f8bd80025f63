import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";

const SKILL = `---
name: greeter
description: >-
  Greets people
  by name.
license: MIT
---

Say hello.
`;

/** Fires on the canary always, on wishes to be greeted once the description speaks of welcoming. */
const AGENT = `#!/bin/bash
query=$(cat)
fire() { echo '{"type":"skill","name":"'"$ASSAY_SKILL"'","by":"tool"}'; }
echo '{"type":"session","skills":["'"$ASSAY_SKILL"'"]}'
echo run >> "RUNS"
case "$query" in
*"Use the skill"*) fire ;;
*welcome*) grep -q "welcoming" .claude/skills/*/SKILL.md && fire ;;
esac
echo '{"type":"text","text":"done"}'
`;

function queries(count: number): string {
  return JSON.stringify(
    Array.from({ length: count }, (_, index) => [
      { query: `please welcome guest ${index}`, should_trigger: true },
      { query: `please add ${index} and 1`, should_trigger: false },
    ]).flat(),
  );
}

const BETTER = "Use this skill for welcoming people.";

function proposes(description: string, more: SimRule = {}): SimRule {
  return { when: { system: "You write the description" }, reply: { json: { description } }, ...more };
}

async function project(rules: readonly SimRule[], count = 20): Promise<ImproveProject> {
  const made = await improveProject(
    {
      "skills/greeter/SKILL.md": SKILL,
      "skills/greeter/reference.md": "Many greetings.\n",
      "skills/greeter/evals/trigger-eval.json": queries(count),
    },
    rules,
  );
  await mkdir(made.path(".assay"));
  await writeFile(made.path("agent.sh"), AGENT.replace("RUNS", made.path(".assay/runs.txt")));
  await chmod(made.path("agent.sh"), 0o755);
  return made;
}

function improve(made: ImproveProject, ...args: readonly string[]) {
  return made.assay(
    "improve",
    "skills/greeter",
    "--description",
    "--harness",
    "command",
    "--command",
    made.path("agent.sh"),
    "--sandbox",
    "none",
    "--runs",
    "1",
    ...args,
  );
}

async function runs(made: ImproveProject): Promise<number> {
  return (await made.text(".assay/runs.txt")).trim().split("\n").length;
}

describe("assay improve --description", () => {
  it("finds a better one, reports the fresh test and writes nothing into the skill", async () => {
    await using made = await project([proposes(BETTER, { times: 1 })]);
    const { exitCode, out, err } = await improve(made);
    expect(err).toContain("ended: all_passed (iteration 2)");
    expect(err).toContain("confirmed better: on these 12 queries 50 % -> 100 % of runs were right");
    expect(exitCode).toBe(0);
    expect(out).toContain(
      "-description: >-\n-  Greets people\n-  by name.\n+description: Use this skill for welcoming people.\n",
    );
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
    made.git("apply", "--check", "--whitespace=nowarn", await written(made, out));
    const file = JSON.parse(await made.text(".assay/greeter/description.json")) as Record<string, unknown>;
    expect(file).toMatchObject({
      original_description: "Greets people by name.",
      best_description: BETTER,
      iterations_run: 2,
      improved: true,
      fresh_test: { original: { rate: 0.5 }, best: { rate: 1 }, verdict: "better" },
    });
  });

  it("costs nothing when it is called again, and goes on with the same split", async () => {
    await using made = await project([proposes(BETTER, { times: 1 })], 6);
    const first = await improve(made, "--json");
    const paid = await runs(made);
    const second = await improve(made, "--json");
    expect(second.out).toBe(first.out);
    expect(await runs(made)).toBe(paid);
    expect(made.sim.requests).toHaveLength(1);
    expect(await readdir(made.path(".assay/greeter/descriptions"))).toHaveLength(2);
  });

  it("asks for another when a description breaks the rules", async () => {
    await using made = await project(
      [
        proposes("Use <it>", { times: 1 }),
        proposes(BETTER, {
          when: { system: "You write the description", anywhere: "angle brackets, which" },
        }),
      ],
      6,
    );
    const { err } = await improve(made);
    expect(err).toContain("ended: all_passed (iteration 2)");
  });

  it("keeps the original when nothing does better, and says so", async () => {
    await using made = await project([proposes("Use this skill never.")], 6);
    const { exitCode, out, err } = await improve(made, "--rounds", "2", "--apply");
    expect(err).toContain("no other description did better in validation; nothing changes");
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: "" });
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
  });

  it("applies nothing that fresh runs do not confirm, and says what would", async () => {
    await using made = await project([proposes(BETTER)], 6);
    const { exitCode, err } = await improve(made, "--apply");
    expect(exitCode).toBe(0);
    expect(err).toMatch(
      /not confirmed; the choice may be luck: .*; --runs \d+, or more queries, would tell more/,
    );
    expect(err).toContain("not applied: fresh runs do not confirm that what was chosen is better");
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
  });

  it("applies to a committed skill only, and leaves the rest of the frontmatter alone", async () => {
    await using made = await project([proposes(BETTER)], 6);
    await writeFile(made.path("skills/greeter/SKILL.md"), `${SKILL}More.\n`);
    const refused = await improve(made, "--apply");
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("not committed");
    made.git("commit", "-qam", "more");
    expect((await improve(made, "--apply", "--runs", "4")).exitCode).toBe(0);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(
      `---\nname: greeter\ndescription: ${BETTER}\nlicense: MIT\n---\n\nSay hello.\nMore.\n`,
    );
  });

  it.each([
    [4, 3, /canary|fire/],
    [1, 2, /too few/],
  ])("with %i queries of a kind and a deaf agent ends with %i and a reason", async (count, code, says) => {
    await using made = await project([], count);
    await writeFile(
      made.path("agent.sh"),
      '#!/bin/bash\ncat > /dev/null\necho \'{"type":"text","text":"no"}\'\n',
    );
    const { exitCode, err } = await improve(made);
    expect(err).toMatch(says);
    expect(exitCode).toBe(code);
  });
});

async function written(made: ImproveProject, diff: string): Promise<string> {
  await writeFile(made.path("x.diff"), diff);
  return "x.diff";
}
