import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const WORLD = { PATH: "/usr/bin:/bin" };

interface Eval {
  readonly prompt?: string;
  readonly expectations?: readonly string[];
  readonly assay?: object;
}

async function project(...evals: readonly Eval[]): Promise<TempTree> {
  return tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: evals.map((one, index) => ({ id: index + 1, prompt: `Greet Ada${"!".repeat(index)}`, ...one })),
    }),
  });
}

const GOOD = {
  checks: [
    { type: "contains", id: "greets", needle: "Hello" },
    { type: "file_exists", id: "card", path: "card.txt" },
    { type: "not_contains", id: "polite", needle: "damn" },
    { type: "skill_loaded", id: "by-skill" },
  ],
  reference: { output: "Hello Ada", files: { "card.txt": "Hello Ada\n" } },
};

describe("assay controls", () => {
  it("is content with checks that fail on nothing and pass on the reference", async () => {
    await using tree = await project(
      { assay: GOOD },
      { assay: { ...GOOD, reference: { output: "Hello", files: { "card.txt": "" } } } },
    );
    const { exitCode, out } = await assay(["controls", "skills/greeter"], { cwd: tree.root, env: WORLD });
    expect(out).toBe(
      [
        "8 checks of 2 cases tried: 6 failed on an empty run, as they should; 2 reference answers tried",
        "2 checks only forbid something, so they pass on an empty run: 1 polite, 2 polite",
        "2 checks ask what the agent does, which a reference answer cannot show: 1 by-skill, 2 by-skill",
        "",
      ].join("\n"),
    );
    expect(exitCode).toBe(0);
    expect(await readdir(tree.root)).not.toContain(".assay");
  });

  it("plays the reference of each case that --case names, and only those", async () => {
    await using tree = await project({ assay: GOOD }, { assay: GOOD }, { assay: GOOD });
    const call = ["controls", "skills/greeter", "--case", "1,3"];
    const { exitCode, out } = await assay(call, { cwd: tree.root, env: WORLD });
    expect(out).toContain("8 checks of 2 cases tried: 6 failed on an empty run");
    expect(out).toContain("; 2 reference answers tried");
    expect(out).toContain("cannot show: 1 by-skill, 3 by-skill\n");
    expect(exitCode).toBe(0);
  });

  it("says what is odd about the eval files once, however many references it plays", async () => {
    await using tree = await project({ assay: GOOD, expectation: "odd" } as Eval, { assay: GOOD });
    const { err } = await assay(["controls", "skills/greeter"], { cwd: tree.root, env: WORLD });
    expect(err).toContain("expectation");
    expect(err.match(/evals\.json/g)).toHaveLength(1);
  });

  it("finds checks that cannot fail, and cases that ask for nothing", async () => {
    await using tree = await project(
      { assay: { checks: [{ type: "regex", id: "anything", pattern: ".*" }, GOOD.checks[0]] } },
      { assay: { checks: [GOOD.checks[2]] } },
    );
    const { exitCode, out } = await assay(["controls", "skills/greeter"], { cwd: tree.root, env: WORLD });
    expect(out).toContain("x greeter 2: passes on an empty run");
    expect(out).toMatch(/these checks cannot fail: they pass on an empty run:\n {2}x greeter 1 anything: /);
    expect(out).not.toContain("greeter 1 greets");
    expect(exitCode).toBe(1);
  });

  it("finds checks that the reference answer does not pass", async () => {
    await using tree = await project({
      assay: { ...GOOD, reference: { output: "Good day, Ada", files: {} } },
    });
    const { exitCode, out } = await assay(["controls", "skills/greeter", "--json"], {
      cwd: tree.root,
      env: WORLD,
    });
    expect(JSON.parse(out)).toMatchObject({
      failOnReference: [{ checkId: "greets" }, { checkId: "card" }],
      notInReference: [{ checkId: "by-skill" }],
      references: 1,
      cannotFail: [],
    });
    expect(exitCode).toBe(1);
  });

  it("leaves judged checks out without a judge, and says so", async () => {
    await using tree = await project({ expectations: ["Ada feels welcome"], assay: GOOD });
    const { out, exitCode } = await assay(["controls", "skills/greeter"], { cwd: tree.root, env: WORLD });
    expect(out).toContain("no judge is configured, so only checks that code decides were tried");
    expect(exitCode).toBe(0);
    await using judged = await project({ expectations: ["Ada feels welcome"] });
    expect(await assay(["controls", "skills/greeter"], { cwd: judged.root, env: WORLD })).toMatchObject({
      exitCode: 3,
    });
  });

  it("asks a judge about doing nothing where there is one", async () => {
    await using tree = await project({ expectations: ["Ada feels welcome", "No harm is done"], assay: GOOD });
    const judge = {
      verdicts: [
        { criterion: "No harm", reason: "Nothing harmful was done." },
        { criterion: "welcome", quote: "Hello Ada", source: "output" },
      ],
    };
    const nothing = { verdicts: [{ criterion: "No harm", reason: "Nothing harmful was done." }] };
    await using sim = await startSim(
      parseScript(
        JSON.stringify({ rules: [{ when: { anywhere: "Hello Ada" }, reply: judge }, { reply: nothing }] }),
      ),
    );
    const env = { ...WORLD, ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "not-a-real-key" };
    const { exitCode, out } = await assay(["controls", "skills/greeter"], { cwd: tree.root, env });
    expect(sim.requests.length).toBe(2);
    expect(out).toContain("x greeter 1 expectation-2: No harm is done (Nothing harmful was done.");
    expect(out).not.toContain("expectation-1");
    expect(exitCode).toBe(1);
  });

  it("does not take what no judge decided for a check that can fail", async () => {
    await using tree = await project({ expectations: ["Ada feels welcome"] });
    await using sim = await startSim(
      parseScript(JSON.stringify({ rules: [{ reply: "I would rather not." }] })),
    );
    const env = { ...WORLD, ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "not-a-real-key" };
    const { exitCode, out } = await assay(["controls", "skills/greeter"], { cwd: tree.root, env });
    expect(out).toContain("these checks could not be decided, so it is unknown whether they can fail:");
    expect(out).toContain("x greeter 1 expectation-1: Ada feels welcome");
    expect(out).toContain("1 check of 1 case tried: 0 failed on an empty run, as they should");
    expect(exitCode).toBe(3);
  });

  it("keeps the runs where it is told to, and says what could not be run", async () => {
    await using tree = await project({ assay: GOOD });
    const call = ["controls", "skills/greeter", "--workspace", "kept"];
    await assay(call, { cwd: tree.root, env: WORLD });
    const kept = await readdir(tree.path("kept/greeter"));
    expect(kept.filter((name) => name.startsWith("iteration-"))).toEqual(["iteration-1", "iteration-2"]);
  });

  it("plays several references at once, and tells of them in the order of the cases", async () => {
    // Each setup waits for that of the other case; alone it gives up.
    const setup = (met: string) =>
      `echo here >> ${met}; for i in $(seq 100); do [ $(($(wc -l < ${met}) % 2)) -eq 0 ] && exit 0; sleep 0.1; done; exit 1`;
    await using tree = await tempTree({
      "assay.config.json": "{}",
      "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets.\n---\n\nSay hello.\n",
    });
    for (const id of ["001", "002"]) {
      const one = {
        timestamp: "2026-01-01T00:00:00Z",
        name: "greeter",
        prompt: "Greet",
        expected: "hello",
        assertions: [{ type: "contains", value: `hello ${id}` }],
        setup: setup(tree.path("met")),
        assay: { reference: { output: "good day" } },
      };
      await mkdir(tree.path("evals/greeter"), { recursive: true });
      await writeFile(tree.path(`evals/greeter/${id}.yaml`), JSON.stringify(one));
    }
    const call = ["controls", "evals/greeter", "--skill", "skills/greeter", "--trust", "--sandbox", "none"];
    const { out } = await assay([...call, "--concurrency", "2", "--json"], { cwd: tree.root, env: WORLD });
    expect(JSON.parse(out)).toMatchObject({
      references: 2,
      notRun: [],
      failOnReference: [{ caseId: "001" }, { caseId: "002" }],
    });
    expect((await readFile(tree.path("met"), "utf8")).trim().split("\n")).toHaveLength(4);
  }, 60_000);

  it("exits 3 when a control cannot be run", async () => {
    await using tree = await tempTree({
      "assay.config.json": "{}",
      "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets.\n---\n\nSay hello.\n",
      "evals/greeter/001.yaml":
        "timestamp: 2026-01-01T00:00:00Z\nname: greeter\nprompt: Greet\nexpected: hello\nassertions:\n  - { type: contains, value: hello }\nsetup: exit 1\n",
    });
    const call = ["controls", "evals/greeter", "--skill", "skills/greeter", "--trust"];
    const { exitCode, out } = await assay(call, { cwd: tree.root, env: WORLD });
    expect(out).toContain("could not be run:\n  ? 001: setup-skipped");
    expect(exitCode).toBe(3);
  });
});
