import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EvalEvent, EventOf } from "../../src/domain/event.ts";
import type { Summary } from "../../src/domain/summary.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import { assay, type CommandOutcome } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

/** Answers by a word in the query; the canary is the one that names the skill. */
const AGENT = `#!/bin/bash
query=$(cat)
fire() { echo '{"type":"skill","name":"'"$1"'","by":"tool"}'; }
list() { ls .claude/skills 2>/dev/null | sed 's/.*/"&"/' | paste -sd,; }
echo '{"type":"session","skills":['"$(list)"']}'
case "$query" in
`;

interface Setup {
  readonly queries: readonly object[];
  /** Arms of a case statement of bash. */
  readonly arms: string;
  readonly files?: Readonly<Record<string, string>>;
}

const FIRE_CANARY = `*"Use the skill"*) fire "$ASSAY_SKILL" ;;`;

async function project({ queries, arms, files = {} }: Setup): Promise<TempTree> {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md":
      "---\nname: greeter\ndescription: >-\n  Greets people\n  by name.\n---\n\nSay hello.\n",
    "skills/greeter/reference.md": "Many greetings.\n",
    "skills/greeter/evals/trigger-eval.json": JSON.stringify(queries),
    "agent.sh": `${AGENT}${arms}\n*) echo "nothing to do" ;;\nesac\n`,
    ...files,
  });
  await chmod(tree.path("agent.sh"), 0o755);
  return tree;
}

async function run(tree: TempTree, ...args: readonly string[]): Promise<CommandOutcome> {
  return runWith(tree, {}, args);
}

async function runWith(
  tree: TempTree,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CommandOutcome> {
  const command = ["run", "skills/greeter", "--harness", "command", "--command", tree.path("agent.sh")];
  return assay([...command, "--sandbox", "none", ...args], { cwd: tree.root, env });
}

async function result<T>(tree: TempTree, name: string, iteration = 1): Promise<T> {
  const path = tree.path(`.assay/greeter/iteration-${iteration}/${name}`);
  return JSON.parse(await readFile(path, "utf8")) as T;
}

async function journal(tree: TempTree): Promise<EvalEvent[]> {
  const text = await readFile(tree.path(".assay/greeter/iteration-1/journal.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EvalEvent);
}

async function finished(tree: TempTree): Promise<EventOf<"trial-finished">[]> {
  return (await journal(tree)).filter((event) => event.kind === "trial-finished");
}

const SHOULD = { query: "please greet Ada", should_trigger: true };
const SHOULD_NOT = { query: "please add two numbers", should_trigger: false };

describe("trigger queries", () => {
  it("are judged by their rate, with a canary beside them that is not counted", async () => {
    await using tree = await project({
      queries: [SHOULD, SHOULD_NOT],
      arms: `${FIRE_CANARY}\n*greet*) fire "$ASSAY_SKILL" ;;`,
    });
    const { exitCode, out } = await run(tree);
    expect(out).toContain("triggers: 2 of 2 queries passed");
    expect(exitCode).toBe(0);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file).toMatchObject({
      skill_name: "greeter",
      description: "Greets people by name.",
      summary: { total: 2, passed: 2, failed: 0, unscored: 0, recall: { rate: 1 }, precision: { rate: 1 } },
      canary: { status: "fired", runs: 2 },
      validity: { status: "valid" },
    });
    expect(
      file.results.map(({ query, trigger_rate, triggers, runs, pass }) => [
        query,
        trigger_rate,
        triggers,
        runs,
        pass,
      ]),
    ).toEqual([
      ["please greet Ada", 1, 3, 3, true],
      ["please add two numbers", 0, 0, 3, true],
    ]);
    const summary = await result<Summary>(tree, "summary.json");
    expect(summary.cases.map((one) => one.caseId)).not.toContain("assay:canary");
    expect(summary.gates.map(({ met }) => met)).toEqual([true, true]);
    expect(await readdir(tree.path(".assay/greeter/iteration-1/triggers"))).toEqual([
      "canary",
      "q001",
      "q002",
    ]);
  });

  it("probe under a name of their own in each trial, and start with the canary", async () => {
    await using tree = await project({ queries: [SHOULD], arms: FIRE_CANARY });
    await run(tree);
    const runs = await finished(tree);
    const names = runs.map(({ run: { skillsOffered } }) => skillsOffered?.join());
    expect(new Set(names).size).toBe(runs.length);
    for (const name of names) expect(name).toMatch(/^greeter-[0-9a-f]{8}$/);
    const [first] = await journal(tree);
    expect(
      first?.kind === "iteration-started" && first.trials.slice(0, 2).map(({ caseId }) => caseId),
    ).toEqual(["assay:canary", "assay:canary"]);
  });

  it("are held to the threshold, bound included", async () => {
    const flaky = `${FIRE_CANARY}\n*greet*) case "$ASSAY_SKILL" in *[02468ace]) fire "$ASSAY_SKILL" ;; esac ;;`;
    await using tree = await project({ queries: [SHOULD], arms: flaky });
    await run(tree, "--runs", "8");
    const [first] = (await result<TriggersFile>(tree, "triggers.json")).results;
    const rate = first?.trigger_rate ?? -1;
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(1);
    const at = await run(tree, "--runs", "8", "--trigger-threshold", String(rate));
    expect(at.exitCode).toBe(0);
    const above = await run(tree, "--runs", "8", "--trigger-threshold", String(rate + 0.01));
    expect(above.exitCode).toBe(1);
    expect(above.out).toContain('x should fire: "please greet Ada": fired in');
  });

  it("are invalid when not even the canary fires, with the likely cause", async () => {
    await using tree = await project({ queries: [SHOULD, SHOULD_NOT], arms: "" });
    const { exitCode, out } = await run(tree);
    expect(exitCode).toBe(3);
    expect(out).toContain("ALARM: the trigger result is invalid");
    expect(out).not.toContain("recall");
  });

  it("are not asked any more once no canary has fired, unless the run is resumed", async () => {
    const queries = [1, 2, 3, 4].map((n) => ({ query: `hail ${n}`, should_trigger: true }));
    await using tree = await project({ queries, arms: `*hail*) fire "$ASSAY_SKILL" ;;` });
    const first = await run(tree, "--concurrency", "1");
    expect(first.exitCode).toBe(3);
    expect(first.err).toMatch(/did not fire even when .* so \d+ runs of trigger queries were not made/);
    expect(first.out).toMatch(/left out: \d+ not run/);
    expect((await finished(tree)).length).toBeLessThan(14);
    const again = await run(tree, "--concurrency", "1", "--resume");
    expect(again.out).not.toContain("not run");
    expect(await finished(tree)).toHaveLength(14);
  });

  it("raise an alarm when nothing but the canary ever fires", async () => {
    await using tree = await project({ queries: [SHOULD, SHOULD_NOT], arms: FIRE_CANARY });
    const { exitCode, out } = await run(tree);
    expect(exitCode).toBe(1);
    expect(out).toContain("ALARM: no query ever fired: recall 0 %");
    expect(out).toContain("The canary did fire");
  });

  it("name a copy that shadows the skill under test", async () => {
    await using tree = await project({ queries: [SHOULD], arms: `*) fire greeter ;;` });
    const { out, exitCode } = await run(tree);
    expect(exitCode).toBe(3);
    expect(out).toContain("another copy of greeter shadows the one under test");
  });

  it("never pass for want of an answer: a client that dies before it says anything", async () => {
    await using tree = await project({
      queries: [SHOULD_NOT],
      arms: "",
      files: { "agent.sh": "#!/bin/bash\nexit 7\n" },
    });
    const { exitCode, out } = await run(tree, "--runs", "1");
    expect(exitCode).toBe(3);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[0]).toMatchObject({
      trigger_rate: null,
      runs: 0,
      pass: false,
      status: "unscored",
      left_out: { invalid: 1 },
    });
    expect(out).toContain("0 of 1 queries passed, 1 unscored");
    // Tried again before it was left out.
    expect((await finished(tree)).filter(({ trial }) => trial.caseId !== "assay:canary")).toHaveLength(3);
  }, 60_000);

  it("never pass for want of an answer: a client that says nothing until the deadline", async () => {
    await using tree = await project({ queries: [SHOULD_NOT], arms: "*) sleep 600 ;;" });
    const started = performance.now();
    const { exitCode } = await run(tree, "--runs", "1", "--timeout", "1");
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(exitCode).toBe(3);
    const [first] = (await result<TriggersFile>(tree, "triggers.json")).results;
    expect(first).toMatchObject({ status: "unscored", left_out: { invalid: 1 } });
  }, 60_000);

  it("never pass for want of an answer: a client that is not there", async () => {
    await using tree = await project({ queries: [SHOULD_NOT], arms: "" });
    for (const harness of ["claude-code", "codex", "auto"]) {
      const { exitCode, err } = await assay(["run", "skills/greeter", "--harness", harness], {
        cwd: tree.root,
        env: { PATH: "/nonexistent", ASSAY_CLAUDE: "no-such-claude", ASSAY_CODEX: "no-such-codex" },
      });
      expect(exitCode).toBe(2);
      expect(err).toMatch(/install/);
    }
  });

  it("stop the client as soon as the skill fires", async () => {
    await using tree = await project({
      queries: [SHOULD],
      arms: `*) echo "let me think"; fire other; fire "$ASSAY_SKILL"; sleep 60 ;;`,
    });
    const { exitCode } = await run(tree);
    expect(exitCode).toBe(0);
    const runs = await finished(tree);
    for (const { run: one } of runs) expect(one.durationMs).toBeLessThan(20_000);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[0]?.other_skills).toEqual({ other: 3 });
  }, 60_000);
});

describe("--probe", () => {
  const SHOW = `*) cat .claude/skills/*/SKILL.md; ls .claude/skills/*; fire "$ASSAY_SKILL" ;;`;
  it.each([
    ["intact", true],
    ["stub", false],
  ])("%s", async (probe, whole) => {
    await using tree = await project({ queries: [SHOULD], arms: SHOW });
    await run(tree, "--runs", "1", "--probe", probe);
    const said = await readFile(
      tree.path(".assay/greeter/iteration-1/triggers/q001/with_skill/run-1/output.txt"),
      "utf8",
    );
    expect(said).toMatch(/name: "greeter-[0-9a-f]{8}"\ndescription: >-\n {2}Greets people\n {2}by name\.\n/);
    expect(said.includes("Say hello.")).toBe(whole);
    expect(said.includes("reference.md")).toBe(whole);
  });
});

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
    await using tree = await project({ queries: [SHOULD, NEAR_MISS], arms: ARMS, files: OTHERS });
    const { exitCode, err } = await run(tree, "--runs", "1");
    for (const { run: one } of await finished(tree)) expect(one.skillsOffered).toHaveLength(1);
    expect(exitCode).toBe(0);
    expect(err).toContain("expect another skill to answer that is not staged (adder)");
  });

  it("are staged beside the skill and must answer where a query says so", async () => {
    await using tree = await project({ queries: [SHOULD, NEAR_MISS], arms: ARMS, files: OTHERS });
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
    await using tree = await project({ queries: [SHOULD, NEAR_MISS], arms: wrong, files: OTHERS });
    const { exitCode, out } = await run(tree, "--runs", "1", "--rivals");
    expect(exitCode).toBe(1);
    expect(out).toContain("adder should answer, but fired in 0 of 1 runs");
    expect(out).toContain("1 run took up waver where greeter was meant");
    const said = await readFile(
      tree.path(".assay/greeter/iteration-1/triggers/q002/with_skill/run-1/output.txt"),
      "utf8",
    );
    expect(said).not.toContain("evals.json");
    expect(said.trim().split("\n")).toHaveLength(3);
  });

  it("run the probes again when a rival changes", async () => {
    await using tree = await project({ queries: [SHOULD], arms: ARMS, files: OTHERS });
    const args = ["--runs", "1", "--rivals", "--resume"];
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

describe("--adaptive", () => {
  it("stops repeating what is settled, spends the rest on what is split, and says so", async () => {
    const arms = `${FIRE_CANARY}\n*greet*) fire "$ASSAY_SKILL" ;;\n*flaky*) case "$ASSAY_SKILL" in *[02468ace]) fire "$ASSAY_SKILL" ;; esac ;;`;
    const queries = [
      SHOULD,
      SHOULD_NOT,
      ...[1, 2, 3].map((n) => ({ query: `flaky ${n}`, should_trigger: true })),
    ];
    await using tree = await project({ queries, arms });
    const { out, exitCode } = await run(tree, "--adaptive");
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results.slice(0, 2).map(({ runs }) => runs)).toEqual([2, 2]);
    const runs = file.results.reduce((sum, query) => sum + query.runs, 0);
    expect(runs).toBeLessThanOrEqual(15);
    expect(file.adaptive).toEqual({ plannedRuns: 15, runs, savedTokens: null });
    expect(out).toContain(`adaptive: ${runs} runs in place of 15`);
    expect([0, 1]).toContain(exitCode);
    const summary = await result<Summary>(tree, "summary.json");
    expect(summary.missing.notRun).toBe(0);
  }, 60_000);

  it("records the runs that it adds too", async () => {
    const arms = `${FIRE_CANARY}\n*flaky*) case "$ASSAY_SKILL" in *[02468ace]) fire "$ASSAY_SKILL" ;; esac ;;`;
    // A query is split by chance, one in two: with ten of them nearly never none.
    const queries = Array.from({ length: 10 }, (_, n) => ({ query: `flaky ${n}`, should_trigger: true }));
    await using tree = await project({ queries, arms });
    const env = { ANTHROPIC_API_KEY: "fake-key-1234" };
    const { err } = await runWith(tree, env, ["--adaptive", "--record"]);
    expect(err).not.toContain("error");
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(Math.max(...file.results.map(({ runs }) => runs))).toBeGreaterThan(2);
  }, 60_000);
});

describe("--harness classifier", () => {
  /** The model picks by a word in the message; the skills are listed in the order of their names. */
  const picks = (rules: Readonly<Record<string, string | number>>) =>
    Object.entries({ "Use the skill": 1, ...rules }).map(([word, pick]) => ({
      when: { userText: { regex: `<message-\\w+>[^<]*${word}` } },
      reply: typeof pick === "string" ? pick : { json: { reason: "", skill: pick } },
    }));

  async function ask(tree: TempTree, rules: Parameters<typeof picks>[0], ...args: readonly string[]) {
    const sim = await startSim(parseScript(JSON.stringify({ rules: picks(rules) })));
    onTestFinished(() => sim.close());
    const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "fake-key-1234" };
    return { ...(await runWith(tree, env, args)), sim };
  }

  it("replays what was recorded without a key or a server", async () => {
    await using tree = await project({ queries: [SHOULD, SHOULD_NOT], arms: "" });
    const args = ["--harness", "classifier", "--runs", "1"];
    await ask(tree, { greet: 1, add: 0 }, ...args, "--record");
    const { exitCode, err } = await runWith(tree, {}, [...args, "--replay"]);
    expect(err).not.toContain("error");
    expect(exitCode).toBe(0);
    const [first, second] = [
      await result<TriggersFile>(tree, "triggers.json"),
      await result<TriggersFile>(tree, "triggers.json", 2),
    ];
    expect(second.results).toEqual(first.results);
  });

  it("asks a model in place of an agent, and nothing but trigger queries", async () => {
    await using tree = await project({
      queries: [SHOULD, SHOULD_NOT],
      arms: "",
      files: {
        "skills/greeter/evals/evals.json":
          '{"skill_name":"greeter","evals":[{"id":1,"prompt":"x","expectations":["y"]}]}',
      },
    });
    const { exitCode, sim, err } = await ask(
      tree,
      { greet: 1, add: 0 },
      "--harness",
      "classifier",
      "--runs",
      "1",
    );
    expect(err).not.toContain("error");
    expect(exitCode).toBe(0);
    expect(sim.requests.filter(({ method }) => method === "POST")).toHaveLength(4);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results.map(({ trigger_rate }) => trigger_rate)).toEqual([1, 0]);
    expect((await finished(tree)).every(({ run: one }) => (one.usage.inputTokens ?? 0) > 0)).toBe(true);
  });

  it("leaves out what it cannot read, and never takes it for silence", async () => {
    await using tree = await project({ queries: [SHOULD, SHOULD_NOT], arms: "" });
    const { exitCode } = await ask(
      tree,
      { greet: 1, add: "I would not know." },
      "--harness",
      "classifier",
      "--runs",
      "1",
    );
    expect(exitCode).toBe(3);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[1]).toMatchObject({ status: "unscored", pass: false, left_out: { api: 1 } });
  }, 60_000);

  it("is compared with what an agent did", async () => {
    await using tree = await project({
      queries: [SHOULD, SHOULD_NOT, { query: "wave at Bob", should_trigger: true }],
      arms: `${FIRE_CANARY}\n*greet*|*wave*) fire "$ASSAY_SKILL" ;;`,
    });
    const { out } = await ask(
      tree,
      { greet: 1, add: 0, wave: 0 },
      "--harness",
      "command,classifier",
      "--runs",
      "1",
    );
    expect(out).toContain("agrees with command (iteration-1) on 2 of 3");
    const file = await result<TriggersFile>(tree, "triggers.json", 2);
    expect(file.agreement).toMatchObject({
      bothFire: 1,
      neitherFires: 1,
      onlyHere: [],
      onlyThere: ["wave at Bob"],
    });
  });

  it("says before it runs that it has nobody to ask", async () => {
    await using tree = await project({ queries: [SHOULD], arms: "" });
    const { exitCode, err } = await run(tree, "--harness", "classifier");
    expect(exitCode).toBe(2);
    expect(err).toContain("ANTHROPIC_API_KEY");
  });
});
