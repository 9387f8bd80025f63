import { execFileSync } from "node:child_process";
import { appendFile, chmod } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { EXAMPLES } from "../support/examples.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n";

describe("assay list", () => {
  it("shows what there is of each skill", async () => {
    const { exitCode, out, err } = await assay(["list"], { cwd: EXAMPLES });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    const [suites, plans] = out.split("\n\n");
    expect(suites).toBe(
      [
        "skill                  format         cases  by code  extracted  by judge  triggers  ungraded",
        "---------------------  -------------  -----  -------  ---------  --------  --------  --------",
        "conventional-comments  skillet            3        5          0         3         0         0",
        "csv-report             skill-creator      2        3          0         7         4         0",
        "decision-record        bmad               3        0          0        11         4         0",
        "release-notes          clauditor          1        9          3         3         4         0",
      ].join("\n"),
    );
    expect(plans?.split("\n").map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ["estimate", "agent", "model", "runs", "minutes"],
      ["---------------------", "-----", "---------", "--------", "-------"],
      ["conventional-comments", "auto", "(its own)", "3", "unknown"],
      ["csv-report", "auto", "(its own)", "16 to 40", "unknown"],
      ["decision-record", "auto", "(its own)", "17 to 41", "unknown"],
      ["release-notes", "auto", "(its own)", "16 to 40", "unknown"],
      [""],
    ]);
  });

  it("shows the same and more as data", async () => {
    const { exitCode, out } = await assay(["list", "release-notes", "--json"], { cwd: EXAMPLES });
    expect(exitCode).toBe(0);
    const [suite, ...others] = JSON.parse(out);
    expect(others).toEqual([]);
    expect(suite).toMatchObject({
      skill: "release-notes",
      formats: ["clauditor"],
      tasks: 1,
      triggers: 4,
      ungraded: 0,
      checks: { L1: 9, L2: 3, L3: 3 },
      variants: ["with_skill", "without_skill"],
    });
    expect(suite.file).toMatch(/release-notes\/SKILL\.md$/);
    expect(suite.cases).toHaveLength(5);
    expect(suite.cases[0].checks).toHaveLength(15);
  });

  it.each([
    ["task", "artifact"],
    ["tasks", "artifact"],
    ["artifacts", "artifact"],
    ["triggers", "trigger"],
    ["all", "both"],
  ])("takes --mode %s for %s", async (word, canonical) => {
    const listed = (mode: string) =>
      assay(["list", "csv-report", "--json", "--mode", mode], { cwd: EXAMPLES });
    const meant = await listed(canonical);
    expect(meant.exitCode).toBe(0);
    expect(await listed(word)).toEqual(meant);
  });

  it("names the modes there are when asked for another", async () => {
    const { exitCode, err } = await assay(["list", "csv-report", "--mode", "evals"], { cwd: EXAMPLES });
    expect(exitCode).toBe(2);
    expect(err).toContain("Allowed choices are artifact, trigger, both.");
  });

  it("estimates each agent by its own earlier runs, and auto by the agent that ran last", async () => {
    const agent = "#!/bin/sh\ncat > /dev/null\nsleep 1\necho Hello Ada\n";
    await using project = await greeterProject(GOOD_REPLIES, { "agent.sh": agent });
    await chmod(project.path("agent.sh"), 0o755);
    const slow = ["--harness", "command", "--command", "./agent.sh", "--sandbox", "none"];
    await assay(["run", "skills/greeter", ...slow], { cwd: project.root });
    await assay(RUN, { cwd: project.root });
    const estimateOf = async (harness: string) => {
      const words = ["list", "skills/greeter", "--json", "--harness", harness];
      const [suite] = JSON.parse((await assay(words, { cwd: project.root })).out) as {
        plans: { estimate: { minutes: number; basis: string } }[];
      }[];
      return suite?.plans[0]?.estimate;
    };
    const [command, scripted, auto] = [
      await estimateOf("command"),
      await estimateOf("scripted"),
      await estimateOf("auto"),
    ];
    expect(command?.minutes).toBeGreaterThan(scripted?.minutes ?? 1);
    expect(scripted?.basis).toBe("2 earlier runs");
    expect(auto).toEqual({ ...scripted, basis: "2 earlier runs of scripted" });
  });

  it("shows only what was selected, with shards even over all skills", async () => {
    const skill = (name: string) => ({
      [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Tidies.\n---\nDo it.\n`,
      [`${name}/evals/evals.json`]: JSON.stringify({ evals: [{ id: 1, prompt: `Tidy ${name}` }] }),
    });
    await using tree = await tempTree({ ...skill("a"), ...skill("b"), ...skill("c"), ...skill("d") });
    const listed = async (...words: string[]) => {
      const { out } = await assay(["list", "--json", ...words], { cwd: tree.root });
      return (JSON.parse(out) as { skill: string }[]).map((one) => one.skill).join("");
    };
    expect(await listed()).toBe("abcd");
    expect(await listed("--filter", "tidy c")).toBe("c");
    expect([await listed("--shard", "1/2"), await listed("--shard", "2/2")]).toEqual(["ac", "bd"]);
    for (const words of [
      ["init", "-q"],
      ["add", "-A"],
      ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "all"],
    ])
      execFileSync("git", words, { cwd: tree.root });
    expect(await listed("--changed", "HEAD")).toBe("");
    await appendFile(tree.path("b/SKILL.md"), "More.\n");
    expect(await listed("--changed", "HEAD")).toBe("b");
  });

  it("shows each case with its prompt on one line", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      "tidy/evals/evals.json": JSON.stringify({
        evals: [
          { id: 1, prompt: "Tidy\n  the desk", expectations: ["a", "b"] },
          { id: 2, prompt: "x".repeat(100) },
        ],
      }),
      "tidy/evals/trigger-eval.json": '[{"query": "tidy up", "should_trigger": true}]',
    });
    const { out } = await assay(["list", "tidy", "--cases"], { cwd: tree.root });
    expect((out.split("\n\n")[0] ?? "").split("\n").slice(2)).toEqual([
      "tidy   1             task          2  Tidy the desk",
      `tidy   2             task          0  ${"x".repeat(67)}...`,
      "tidy   trigger-q001  trigger       1  tidy up",
    ]);
  });

  it("lists what can be used even when something else cannot, says so and exits 2", async () => {
    await using tree = await tempTree({
      "good/SKILL.md": SKILL,
      "good/evals/evals.json": '{"evals": [{"id": 1, "prompt": "x"}]}',
      "bad/SKILL.md": SKILL.replace("tidy", "bad"),
      "bad/evals/evals.json": '{"evals": [{"id": 1, "prompt": 5}]}',
    });
    const { exitCode, out, err } = await assay(["list"], { cwd: tree.root });
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^tidy +skill-creator +1 /m);
    expect(out).toMatch(/^bad +\(no evals\) +0 /m);
    expect(err).toMatch(/^bad\/evals\/evals\.json:1:32 error: /);
    expect(err).toContain("some of what was named cannot be used");
  });

  it("says of evals without a skill that it is missing", async () => {
    await using tree = await tempTree({
      "sets/greeting/001.yaml": "timestamp: 2025-01-01\nname: a\nprompt: Hello\nexpected: A greeting\n",
    });
    const { exitCode, out } = await assay(["list", "sets/greeting"], { cwd: tree.root });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^greeting \(skill not found\) +skillet +1 /m);
  });
});
