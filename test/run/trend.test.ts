import { appendFile, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS, SKILL } from "../support/greeters.ts";
import { FIRE_CANARY, run, SHOULD, SHOULD_NOT, triggerProject } from "../support/trigger-project.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const trend = (cwd: string, ...words: string[]) => assay(["trend", ...words], { cwd });

describe("assay trend", { timeout: 60_000 }, () => {
  it("draws finished iterations, tells what changed, and prints the same as JSON", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    await appendFile(project.path("skills/greeter/evals/evals.json"), "\n");
    await assay(RUN, { cwd: project.root });
    const { out, exitCode } = await trend(project.root, "skills/greeter");
    expect(exitCode).toBe(0);
    expect(out).toContain("greeter  pass_rate  ██");
    expect(out).toMatch(/^ +2 .*100 %.*passed +EVALS$/m);
    const printed = JSON.parse((await trend(project.root, "--json")).out) as { iterations: object[] };
    expect(printed.iterations).toHaveLength(2);
  });

  it("tells lifts against no skill from changes against a version, with their intervals", async () => {
    await using project = await greeters(2, HELPS, { "before/greeter/SKILL.md": SKILL("Say Hi.") });
    await assay(BENCH, { cwd: project.root });
    await assay([...BENCH, "--against", "before/greeter"], { cwd: project.root });
    const { out } = await trend(project.root, "--metric", "lift");
    expect(out).toContain("greeter  lift  █ \n");
    expect(out).toMatch(/^ +1 .* {2}\+100 +\+\d+ to \+100 +better, \+100 \(\+\d+ to \+100\) +- /m);
    expect(out).toMatch(/^ +2 .* {2}- +- +- +underpowered, \+0 \(-\d+ to \+\d+\) /m);
    expect((await trend(project.root, "--metric", "change")).out).toContain("greeter  change   █\n");
  });

  it("does not call a skill passed whose every query chance may have decided", async () => {
    const queries = [SHOULD, SHOULD_NOT];
    await using tree = await triggerProject({ queries, arms: FIRE_CANARY });
    await run(tree, "--runs", "1", "--max-runs", "1");
    const { out } = await trend(tree.root);
    expect(out).toMatch(/ undecided *$/m);
    expect(out).not.toContain("passed");
    expect((await trend(tree.root, "--badge")).out).toContain("2 of 2 queries unsettled");
  });

  it.each([
    ["its directory, which has another name", ".", "skills/greeter"],
    ["its SKILL.md", ".", "skills/greeter/SKILL.md"],
    ["an absolute path", ".", "ROOT/skills/greeter"],
    ["the directory one is in", "skills/greeter", "."],
  ])("finds a skill by %s", async (_, from, word) => {
    await using project = await greeterProject(GOOD_REPLIES, {
      "skills/greeter/SKILL.md": "---\nname: hello-sayer\ndescription: Greets.\n---\nSay hello.\n",
    });
    await assay(RUN, { cwd: project.root });
    const found = await trend(project.path(from), word.replace("ROOT", project.root));
    expect(found).toMatchObject({
      exitCode: 0,
      err: "",
      out: expect.stringMatching(/^hello-sayer {2}pass_rate/),
    });
  });

  it("tells skills with one name apart by their directories", async () => {
    const evals = JSON.stringify({ evals: [{ id: 1, prompt: "Greet Ada", expectations: [] }] });
    const skill = "---\nname: greeter\ndescription: Greets.\n---\nSay hello.\n";
    await using project = await greeterProject(GOOD_REPLIES, {
      "skills/second/SKILL.md": skill,
      "skills/second/evals/evals.json": evals,
    });
    await assay(RUN.with(1, "skills"), { cwd: project.root });
    expect((await trend(project.root, "skills/greeter")).out).toMatch(/^greeter {2}/);
    expect((await trend(project.root, "skills/second")).out).toMatch(/^skills-second {2}/);
  });

  it("does not show iterations in which nothing ran", async () => {
    const broken = [{ steps: [{ fail: { reason: "auth", message: "no key" } }] }];
    await using project = await greeterProject(GOOD_REPLIES, {
      "broken.json": JSON.stringify({ replies: broken }),
    });
    const failedStart = () =>
      assay([...RUN.slice(0, -1), "broken.json", "--model", "typo"], { cwd: project.root });
    await failedStart();
    const nothing = await trend(project.root);
    expect(nothing.exitCode).toBe(2);
    expect(nothing.err).toContain("in which no trial produced a result");
    await assay(RUN, { cwd: project.root });
    await failedStart();
    const { exitCode, out, err } = await trend(project.root, "--json");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    const { iterations } = JSON.parse(out) as { iterations: { iteration: number }[] };
    expect(iterations.map(({ iteration }) => iteration)).toEqual([2]);
    expect((await trend(project.root, "--badge")).out).toContain("2/2");
  });

  it("marks runs of some cases, and runs without every result, apart from whole ones", async () => {
    const [ada] = GOOD_REPLIES;
    const overloaded = {
      when: { prompt: "Bob" },
      steps: [{ fail: { reason: "auth", message: "no key" } }],
    };
    await using project = await greeterProject(GOOD_REPLIES, {
      "rude.json": JSON.stringify({ replies: [ada, { when: { prompt: "Bob" }, steps: [{ text: "No" }] }] }),
      "half.json": JSON.stringify({ replies: [ada, overloaded] }),
    });
    const at = { cwd: project.root };
    const played = (script: string) => [...RUN.slice(0, -1), script];
    await assay(RUN, at);
    await assay([...played("rude.json"), "--case", "2"], at);
    await assay(played("half.json"), at);
    await assay(played("rude.json"), at);
    await assay([...played("rude.json"), "--last-failed"], at);
    const { out } = await trend(project.root);
    expect(out).toContain(
      "greeter  pass_rate  █··▅·\n·  not a whole run, so no bar: only some cases, or not",
    );
    expect(out).toMatch(/^ +1 .* passed *$/m);
    expect(out).toMatch(/^ +2 .* 0 % .* failed, only some cases *$/m);
    expect(out).toMatch(/^ +3 .* incomplete, only 1 of 2 trials *$/m);
    expect(out).toMatch(/^ +5 .* failed, only some cases *$/m);
    expect((await trend(project.root, "--badge")).out).toContain("1/2");
    expect((await assay(["show", "greeter"], at)).out).toContain("iteration-4");
  });

  it("does not mix agents or models unless it is told to", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay([...RUN, "--model", "a,b"], { cwd: project.root });
    const refused = await trend(project.root);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("scripted with a, scripted with b");
    expect((await trend(project.root, "--model", "b")).out).toMatch(/^ +2 /m);
    expect((await trend(project.root, "--mixed")).exitCode).toBe(0);
    expect((await trend(project.root, "--model", "c")).err).toContain("no finished iteration");
  });

  it("finds a suite without baselines healthy, and a check that never passes not", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay([...RUN, "--runs", "3"], { cwd: project.root });
    const healthy = await trend(project.root, "--audit");
    expect(healthy.out).toContain("2 checks over 1 iteration: none to look at");
    expect(healthy.out).toContain("2 checks without a baseline");
    expect(healthy.exitCode).toBe(0);
    await using broken = await greeterProject([{ steps: [{ skill: "greeter" }, { text: "Hello Ada" }] }]);
    await assay([...RUN, "--runs", "3"], { cwd: broken.root });
    const flagged = await trend(broken.root, "--audit");
    expect(flagged.out).toMatch(/never passes +2 +L1 .*0 of 3/);
    expect(flagged.exitCode).toBe(1);
  });

  it("makes a badge, on stdout or in a file", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    const expected =
      '{"schemaVersion":1,"label":"assay","message":"2/2 · 100% stable","color":"brightgreen"}\n';
    expect((await trend(project.root, "--badge")).out).toBe(expected);
    await trend(project.root, "--badge", "badge.json");
    expect(await readFile(project.path("badge.json"), "utf8")).toBe(expected);
    const refused = await trend(project.root, "--badge", "script.json/badge.json");
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("script.json/badge.json cannot be written: a part of its path is a file");
  });

  it.each([
    [["greter"], "did you mean greeter?"],
    [["nothing-like-it"], "there are no results"],
  ])("helps who asks for %j", async (words, hint) => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    const { exitCode, err } = await trend(project.root, ...words);
    expect(exitCode).toBe(2);
    expect(err).toContain(hint);
  });

  it("says so when nothing was ever run", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    expect((await trend(project.root)).err).toContain("assay run or assay bench makes the first");
  });
});
