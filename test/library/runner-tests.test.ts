import { appendFile, readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { Summary } from "../../src/domain/summary.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type RunnerProject, runnerProject, type VitestOutcome } from "../support/runner-project.ts";

const skillFile = (name: string) => `---
name: ${name}
description: Greets people. Use when somebody asks for a greeting.
---
Say hello in hexadecimal.
`;

/** Nobody else's process sleeps this long. */
const SLEEP = `sleep 86${process.pid}.25`;

const MODEL = `rules:
  - when: { structured: true, anywhere: The answer speaks hexadecimal }
    reply: { verdicts: [{ criterion: The answer speaks hexadecimal, quote: "0xCAFE is hello in hexadecimal, Ada", source: output }] }
  - when: { system: compare two outputs, anywhere: { regex: "output 1\\\\]\\\\][^]*0xCAFE[^]*output 2\\\\]\\\\]" } }
    reply: { json: ${JSON.stringify(comparisonReplyOf(5, 2))} }
  - when: { system: compare two outputs }
    reply: { json: ${JSON.stringify(comparisonReplyOf(2, 5))} }
  - when: { structured: true }
    reply: { verdicts: [] }
  - when: { userText: { regex: "greeter-[0-9a-f]{8}" } }
    reply: { tool: skill, input: { name: "{{userText /(greeter-[0-9a-f]{8})/}}" } }
  - when: { userText: Please greet, anywhere: { regex: "greeter-[0-9a-f]{8}" } }
    reply: { tool: skill, input: { name: "{{request /(greeter-[0-9a-f]{8})/}}" } }
  - when: { userText: wait for it, step: 1 }
    reply: { tool: bash, input: { command: "${SLEEP}" } }
  - when: { userText: with the skill, step: 1 }
    reply: { tool: skill, input: { name: greeter } }
  - reply: "0xCAFE is hello in hexadecimal, Ada"
`;

const HEAD = `import { expect, skillTest } from "assay/vitest";\n`;
const OPTIONS = `{ harness: "builtin", gradingProvider: "anthropic", transport: "api" }`;
const TEST = `const test = skillTest("../skills/greeter", ${OPTIONS});\n`;
const HELLO = `[{ type: "contains", needle: "0xCAFE" }]`;
const BYE = `[{ type: "contains", needle: "goodbye" }]`;

const FILES: Readonly<Record<string, string>> = {
  "skills/greeter/SKILL.md": skillFile("greeter"),
  "skills/judged/SKILL.md": skillFile("judged"),
  "tests/a.test.js": `${HEAD}${TEST}
    test("uses the skill", async ({ skill }) => {
      const run = await skill.run("greet Ada with the skill", { files: { "who.txt": "Ada" } });
      expect(run).toHaveUsedSkill();
      expect(run).toHaveTriggered();
      expect(run.output).toBe("0xCAFE is hello in hexadecimal, Ada");
      await expect(run).toPassChecks(${HELLO});
      await expect(run).toSatisfy("The answer speaks hexadecimal");
      await expect(run).not.toSatisfy("The answer is a poem");
      expect(3).toSatisfy((value) => value > 2);
    });
    test("does not use the skill", async ({ skill }) => {
      expect(await skill.run("greet Ada")).toHaveUsedSkill();
    });
    test("fails its checks", async ({ skill }) => {
      await expect(await skill.run("greet Ada", { checks: ${BYE} })).toPassChecks();
    });
    test("is unsettled", async ({ skill }) => {
      await expect(skill.task("greet Ada", { checks: ${HELLO} })).toPass({ rate: 0.8, runs: 3 });
    });
    test("is unsettled, which is no failure either", async ({ skill }) => {
      await expect(skill.task("greet Ada", { checks: ${HELLO} })).not.toPass({ rate: 0.8, runs: 3 });
    });
    test("is settled as failed", async ({ skill }) => {
      await expect(skill.task("greet Ada", { checks: ${BYE} })).toPass({ rate: 0.8, runs: 4 });
    });
    test("draws once for all attempts", { retry: 2 }, async ({ skill }) => {
      await expect(skill.task("greet Ada", { checks: ${HELLO} })).toPass({ rate: 0.8, runs: 2 });
    });
    test("has a misspelt option", async ({ skill }) => {
      await expect(skill.task("greet Ada", { checks: ${HELLO} })).toPass({ rates: 0.8 });
    });
    test("has no checks to pass", async ({ skill }) => {
      await expect(skill.task("greet Ada")).toPass();
    });
    test("forgets to await", async ({ skill }) => {
      const run = skill.run("greet Ada");
      try { expect(run).toHaveUsedSkill(); } finally { await run; }
    });
    test("names a file that is not there", async ({ skill }) => {
      await skill.run("greet Ada", { files: ["nowhere.txt"] });
    });
    test("names a case that is not there", async ({ skill }) => {
      await skill.case("first").run();
    });
    test("is given up by the runner", { timeout: 6000 }, async ({ skill }) => {
      await skill.run("wait for it");
    });`,
  "tests/b.test.js": `${HEAD}${TEST}
    test.concurrent("one", async ({ skill }) => void await skill.run("greet One"));
    test.concurrent("two", async ({ skill }) => void await skill.run("greet Two"));
    test.concurrent("three", async ({ skill }) => void await skill.run("greet Three"));`,
  "tests/budget.test.js": `${HEAD}const test = skillTest("../skills/greeter", { ...${OPTIONS}, maxCostUsd: 1e-9 });
    test("is over budget", async ({ skill }) => void await skill.run("greet Ada"));`,
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "greet Ada", assay: { checks: [{ type: "contains", needle: "0xCAFE" }] } }],
  }),
  "skills/greeter/evals/trigger-eval.json": JSON.stringify([
    { query: "Please greet Ada", should_trigger: true },
    { query: "Add two numbers", should_trigger: false },
  ]),
  "tests/fixtures.test.js": `${HEAD}import { readFileSync } from "node:fs";\n${TEST}
    test("runner", async ({ skill }) => {
      const run = await skill.invoke("Ada", { files: { "who.txt": "Ada" } });
      expect(run).toHaveUsedSkill();
      expect(run).not.toHaveTriggered();
    });
    test("spec", async ({ skill }) => {
      expect(await skill.caseIds()).toEqual(["1"]);
      await expect(await skill.case(1).run()).toPassChecks();
    });
    test("grader", async ({ skill }) => {
      await expect(await skill.grade("0xCAFE", { case: 1 })).toPassChecks();
      await expect(await skill.grade("hello", { checks: ${HELLO} })).not.toPassChecks();
    });
    test("triggers", async ({ skill }) => {
      await expect(await skill.triggers()).toPassChecks();
    });
    test("blind compare", async ({ skill }) => {
      const compared = await skill.blindCompare("hello", "0xCAFE", { prompt: "greet Ada" });
      expect(compared).toMatchObject({ status: "compared", blind: { leaning: "second" } });
    });
    test("capture", async ({ skill }) => {
      const path = await skill.capture("Ada");
      expect(path).toContain("__captures__");
      expect(readFileSync(path, "utf8")).toBe("0xCAFE is hello in hexadecimal, Ada");
    });`,
  "tests/none.test.js": `${HEAD}const test = skillTest("../skills/nowhere", ${OPTIONS});
    test("has no skill", async ({ skill }) => void await skill.run("greet Ada"));`,
  "tests/options.test.js": `${HEAD}const test = skillTest("../skills/greeter", { harnes: "builtin" });
    test("has a misspelt setting", async ({ skill }) => void await skill.run("greet Ada"));`,
  "tests/judged.test.js": `${HEAD}const test = skillTest("../skills/judged", ${OPTIONS});
    test("asks a judge", async ({ skill }) => {
      await expect(await skill.run("greet Ada")).toSatisfy(process.env.CRITERION);
    });`,
};

let project: RunnerProject;
let recorded: VitestOutcome;
let summaries: Readonly<Record<string, Summary>>;
let replayed: VitestOutcome;

beforeAll(async () => {
  project = await runnerProject(FILES);
  await using sim = await startSim(parseScript(MODEL));
  const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "any-key-will-do" };
  recorded = await project.vitest({
    ...env,
    ASSAY_LIVE: "record",
    CRITERION: "The answer speaks hexadecimal",
  });
  summaries = await project.summaries();
  await appendFile(project.path("skills", "greeter", "SKILL.md"), "Always.\n");
  await project.write({
    "tests/later.test.js": `${HEAD}const test = skillTest("../skills/judged", ${OPTIONS});
      test("was never recorded", async ({ skill }) => void await skill.run("greet Ada"));`,
  });
  replayed = await project.vitest({ CRITERION: "The answer is a poem" });
}, 300_000);

afterAll(() => project?.[Symbol.asyncDispose]());

const textOf = (name: string) => recorded.tests[name]?.text ?? "";

describe("a test of a skill", () => {
  it.each(["runner", "spec", "grader", "triggers", "blind compare", "capture"])(
    "has a counterpart of %s",
    (name) => {
      expect(recorded.tests[name]).toEqual({ status: "passed", text: "" });
    },
  );

  it("passes where run, checks and judge say so, and Vitest's own toSatisfy still works", () => {
    expect(recorded.tests["uses the skill"]).toEqual({ status: "passed", text: "" });
  });

  it("fails with what was seen, and the command that shows more", () => {
    expect(textOf("does not use the skill")).toMatch(
      /the run did not use greeter: it called no tool\nassay show \.assay\/\S+run-1/,
    );
    expect(textOf("fails its checks")).toContain('✗ the output contains "goodbye"');
  });

  it("tells failed from unsettled, and takes unsettled neither for a pass nor for a failure", () => {
    const unsettled =
      /NoResultError: unsettled, which is no pass and no failure: 3 of 3 runs passed .*14 runs would settle it/;
    expect(textOf("is unsettled")).toMatch(unsettled);
    expect(textOf("is unsettled, which is no failure either")).toMatch(unsettled);
    expect(textOf("is settled as failed")).toMatch(/0 of 4 runs passed \(0 % to 5\d % .*: less than 80 %/);
    expect(textOf("is settled as failed")).not.toContain("NoResultError");
  });

  it("says what is wrong with what it was told", () => {
    expect(textOf("has a misspelt option")).toContain("did you mean rate?");
    expect(textOf("has no checks to pass")).toContain("there is no check by which a run passes");
    expect(textOf("forgets to await")).toContain("await it first");
    expect(textOf("names a file that is not there")).toContain('files: "nowhere.txt" does not exist');
    expect(textOf("names a case that is not there")).toContain('have no case "first"');
    expect(textOf("has no skill")).toContain("there is no skill at");
    expect(textOf("has a misspelt setting")).toContain('there is no option "harnes"');
  });

  it("reports a spent budget as no result, not as the skill's failure", () => {
    expect(textOf("is over budget")).toMatch(
      /NoResultError: no result \(budget: [^]*says nothing about the skill/,
    );
    expect(summaries["greeter.tests-budget.test/iteration-1"]).toMatchObject({
      verdict: "unfinished",
      missing: { leftOut: { budget: 1 } },
    });
  });

  it("leaves no process behind when the runner gives it up", async () => {
    expect(recorded.tests["is given up by the runner"]).toMatchObject({ status: "failed" });
    expect(recorded.out + recorded.err).toContain("Test timed out in 6000ms");
    const left = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      left.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
    );
    expect(lines.filter((line) => line.replaceAll("\0", " ").includes(SLEEP))).toEqual([]);
  });
});

describe("the results of tests", () => {
  it("are one iteration for each file, also where workers and tests run side by side", () => {
    const named = Object.keys(summaries).toSorted();
    expect(named).toEqual([
      "greeter.tests-a.test/iteration-1",
      "greeter.tests-b.test/iteration-1",
      "greeter.tests-budget.test/iteration-1",
      "greeter.tests-fixtures.test/iteration-1",
      "judged.tests-judged.test/iteration-1",
    ]);
    const cases = summaries["greeter.tests-b.test/iteration-1"]?.cases ?? [];
    expect(cases.map(({ caseId }) => caseId).toSorted()).toEqual(["one", "three", "two"]);
    expect(summaries["greeter.tests-b.test/iteration-1"]).toMatchObject({ verdict: "passed" });
  });

  it("say of each test whether it passed, and hold each run to what the test asked", () => {
    const cases = summaries["greeter.tests-a.test/iteration-1"]?.cases ?? [];
    const trials = (id: string) => cases.find(({ caseId }) => caseId === id)?.trials;
    expect(trials("uses-the-skill")).toMatchObject([{ passed: 3, failed: 0, unscored: 0 }]);
    expect(trials("does-not-use-the-skill")).toMatchObject([{ passed: 0, failed: 1 }]);
    expect(trials("is-settled-as-failed")).toHaveLength(4);
  });

  it("hold what is measured once, however often the test is retried", () => {
    const cases = summaries["greeter.tests-a.test/iteration-1"]?.cases ?? [];
    const drawn = cases.find(({ caseId }) => caseId === "draws-once-for-all-attempts");
    expect(drawn?.trials).toHaveLength(2);
    expect(textOf("draws once for all attempts").split("NoResultError")).toHaveLength(4);
  });
});

describe("a replay", () => {
  it("skips what was never recorded, and says so", () => {
    expect(replayed.tests["was never recorded"]).toMatchObject({ status: "skipped" });
    expect(replayed.out + replayed.err).toMatch(
      /1 test of later\.test\.js skipped: not recorded: run it once with ASSAY_LIVE=record/,
    );
  });

  it("fails where the recording no longer fits, and not because of the skill", () => {
    expect(replayed.tests["one"]).toMatchObject({ status: "failed" });
    expect(replayed.tests["one"]?.text).toMatch(
      /NoResultError: the recording no longer fits: .*skill.*Record it again/,
    );
  });

  it("gives no verdict where the judge was never asked", () => {
    expect(replayed.tests["asks a judge"]).toMatchObject({ status: "failed" });
    expect(replayed.tests["asks a judge"]?.text).toMatch(
      /NoResultError: no verdict, which says nothing about the skill/,
    );
  });
});

it("without an agent, a live test says what to install", { timeout: 60_000 }, async () => {
  await project.write({
    "live.test.js": `import { skillTest } from "assay/node-test";
      skillTest("skills/judged")("runs", async ({ skill }) => void await skill.run("greet Ada"));`,
  });
  const { code, out } = await project.node(["--test", "live.test.js"], { ASSAY_LIVE: "1", PATH: "/nowhere" });
  expect(code).toBe(1);
  expect(out).toMatch(/No agent found|neither claude nor codex/);
});
