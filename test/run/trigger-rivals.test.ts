import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import { run, result, finished, SHOULD, FIRE_CANARY, triggerProject } from "../support/trigger-project.ts";

describe("--rivals", () => {
  const OTHERS = {
    ".claude/skills/adder/SKILL.md": "---\nname: adder\ndescription: Adds numbers.\n---\n\nAdd.\n",
    "skills/waver/SKILL.md": "---\nname: waver\ndescription: Waves.\n---\n\nWave.\n",
    "skills/waver/evals/evals.json":
      '{"skill_name":"waver","evals":[{"id":1,"prompt":"secret","expectations":["x"]}]}',
  };
  const NEAR_MISS = { query: "please add two numbers", should_trigger: false, assay: { skill: "adder" } };
  const ARMS = `${FIRE_CANARY}\n*greet*) fire "$ASSAY_SKILL" ;;\n*add*) if [ -d .claude/skills/adder ]; then fire adder; fi ;;`;

  it("are not there unless asked for, even where the project has them installed", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, NEAR_MISS], arms: ARMS, files: OTHERS });
    const { exitCode, err } = await run(tree, "--runs", "1");
    for (const { run: one } of await finished(tree)) expect(one.skillsOffered).toHaveLength(1);
    expect(exitCode).toBe(0);
    expect(err).toContain("expect another skill to answer that is not staged (adder)");
  });

  it("are staged beside the skill and must answer where a query says so", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, NEAR_MISS], arms: ARMS, files: OTHERS });
    const { exitCode } = await run(tree, "--runs", "1", "--rivals");
    for (const { run: one } of await finished(tree)) {
      expect(one.skillsOffered?.map((name) => name.replace(/-[0-9a-f]{8}$/, ""))).toEqual([
        "adder",
        "greeter",
        "waver",
      ]);
    }
    expect(exitCode).toBe(0);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[1]).toMatchObject({ rival: "adder", other_skills: { adder: 1 }, pass: true });
    expect(file.confusion).toEqual([
      { expected: "adder", fired: "adder", runs: 1 },
      { expected: "greeter", fired: "greeter", runs: 1 },
    ]);
  });

  it("fail a query that the wrong one answers, and bring none of their evals along", async () => {
    const wrong = `${FIRE_CANARY}\n*greet*) fire waver ;;\n*add*) find . -name evals.json; find . -name 'SKILL.md' | sort ;;`;
    await using tree = await triggerProject({ queries: [SHOULD, NEAR_MISS], arms: wrong, files: OTHERS });
    const { exitCode, out } = await run(tree, "--runs", "1", "--rivals");
    expect(exitCode).toBe(1);
    expect(out).toContain("adder should answer, but fired in 0 of 3 runs");
    expect(out).toContain("1 run loaded waver where greeter was expected");
    const said = await readFile(
      tree.path(".assay/greeter/iteration-1/triggers/q002/with_skill/run-1/output.txt"),
      "utf8",
    );
    expect(said).not.toContain("evals.json");
    expect(said.trim().split("\n")).toHaveLength(3);
  });

  it("run the probes again when a rival changes", async () => {
    await using tree = await triggerProject({ queries: [SHOULD], arms: ARMS, files: OTHERS });
    const args = ["--max-runs", "1", "--rivals", "--resume"];
    await run(tree, ...args);
    await run(tree, ...args);
    expect(await finished(tree)).toHaveLength(3);
    await writeFile(
      tree.path("skills/waver/SKILL.md"),
      "---\nname: waver\ndescription: Waves twice.\n---\n\nWave.\n",
    );
    await run(tree, ...args);
    expect(await finished(tree)).toHaveLength(6);
  });
});
