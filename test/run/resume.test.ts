import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = "skills/greeter/SKILL.md";
const EVALS = "skills/greeter/evals/evals.json";
const RESUME = [...RUN, "--resume"];

/** What was put to the model; looking which models there are costs nothing. */
function questionsTo({ requests }: Pick<Awaited<ReturnType<typeof startSim>>, "requests">): number {
  return requests.filter(({ method }) => method === "POST").length;
}

async function startedIn(root: string, iteration = 1): Promise<number> {
  return (await journal(root, iteration)).filter(({ kind }) => kind === "trial-started").length;
}

async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

describe("--resume says what runs again and why", () => {
  it("reuses everything where nothing changed", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    await assay(RUN, at);
    const { err, exitCode } = await assay(RESUME, at);
    expect(exitCode).toBe(0);
    expect(err).toContain("greeter: continuing iteration-1: 2 runs reused\n");
    expect(await startedIn(project.root)).toBe(2);
  });

  it.each([
    ["Say hello.", "Say hi.", "greeter: SKILL.md changed: 2 trials run again"],
    ["by name", "by their name", "greeter: description in SKILL.md changed: 2 trials run again"],
    [
      "name: greeter\n",
      "name: greeter\nlicense: MIT\n",
      "greeter: frontmatter in SKILL.md changed: 2 trials",
    ],
  ])("names what changed in the skill: %j", async (from, to, words) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    await assay(RUN, at);
    await edit(project.path(SKILL), from, to);
    expect((await assay(RESUME, at)).err).toContain(words);
    expect(await startedIn(project.root)).toBe(4);
  });

  it(
    "takes another program of --command, and another file that it names, for another agent",
    { timeout: 120_000 },
    async () => {
      await using project = await greeterProject(GOOD_REPLIES);
      await using outside = await tempTree({ "words.txt": "Hello Ada and Bob\n" });
      const program = outside.path("agent.sh");
      const write = (text: string) => writeFile(program, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      await write(`cat ${outside.path("words.txt")}`);
      const at = { cwd: project.root };
      const run = ["run", "skills/greeter", "--harness", "command", "--command", program, "--no-grade"];
      await assay(run, at);
      expect((await assay([...run, "--resume"], at)).err).toContain("2 runs reused\n");
      await writeFile(outside.path("words.txt"), "Hello Bob and Ada\n");
      const words = "greeter: the program of --command changed: 2 trials run again";
      expect((await assay([...run, "--resume", "--yes"], at)).err).toContain(words);
      await write(`cat ${outside.path("words.txt")}; echo more`);
      expect((await assay([...run, "--resume", "--yes"], at)).err).toContain(words);
      expect(await startedIn(project.root)).toBe(6);
    },
  );

  it("names the case whose prompt changed and reuses the others", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    await assay(RUN, at);
    await edit(project.path(EVALS), "Greet Bob", "Greet Bob kindly");
    const { err } = await assay(RESUME, at);
    expect(err).toContain("continuing iteration-1: 1 run reused, 1 trial runs again");
    expect(err).toContain(`greeter: ${EVALS}: prompt of case 2 changed: 1 trial runs again`);
    expect(await startedIn(project.root)).toBe(3);
  });

  it("grades anew what is reused where only checks changed", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    expect((await assay(RUN, at)).exitCode).toBe(0);
    await edit(project.path(EVALS), "Hello Ada", "Good day");
    const { err, exitCode } = await assay(RESUME, at);
    expect(err).toContain("continuing iteration-1: 2 runs reused, 1 of them graded again by changed checks");
    expect([exitCode, await startedIn(project.root)]).toEqual([1, 2]);
    expect((await assay(RESUME, at)).err).toContain("2 runs reused\n");
  });

  it("names options, project files and several things at once", async () => {
    await using project = await greeterProject(GOOD_REPLIES, { "src/a.ts": "1", "src/b.ts": "1" });
    const at = { cwd: project.root };
    await assay(RUN, at);
    expect((await assay([...RESUME, "--timeout", "77"], at)).err).toContain(
      "greeter: option --timeout changed: 2 trials run again",
    );
    await writeFile(project.path("src/a.ts"), "2");
    await writeFile(project.path("src/c.ts"), "2");
    expect((await assay([...RESUME, "--timeout", "77"], at)).err).toContain(
      "greeter: project files changed: src/a.ts, src/c.ts: 2 trials run again",
    );
    await writeFile(project.path("src/b.ts"), "2");
    await edit(project.path(SKILL), "hello", "hi");
    expect((await assay([...RESUME, "--timeout", "77"], at)).err).toContain(
      "greeter: project files changed: src/b.ts; SKILL.md changed: 2 trials run again",
    );
  });

  it("says of an iteration that kept no parts that something changed", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    await assay(RUN, at);
    const path = project.path(".assay/greeter/iteration-1/journal.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    const older = lines.map((line) => JSON.stringify({ ...JSON.parse(line), basis: undefined }));
    await writeFile(path, `${older.join("\n")}\n`);
    expect((await assay(RESUME, at)).err).toContain("2 runs reused");
    await edit(project.path(SKILL), "hello", "hi");
    expect((await assay(RESUME, at)).err).toContain("something it depends on changed: 2 trials run again");
  });
});

describe("--resume depends on nothing but what the runs depend on", () => {
  it("reuses everything after the project was moved", async () => {
    await using project = await greeterProject(GOOD_REPLIES, { "src/a.ts": "1" });
    await using elsewhere = await tempTree({});
    await assay(RUN, { cwd: project.root });
    await cp(project.root, elsewhere.path("moved"), { recursive: true });
    await rename(project.path("skills"), project.path("gone"));
    const { err } = await assay(RESUME, { cwd: elsewhere.path("moved") });
    expect(err).toContain("continuing iteration-1: 2 runs reused\n");
  });

  it("leaves out reports that were written into the project, then and now", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    await assay([...RUN, "--reporter", "junit=assay.xml,terminal"], at);
    expect(await readFile(project.path("assay.xml"), "utf8")).toContain("<testsuite");
    expect(
      (await assay([...RESUME, "--reporter", "junit=skills/greeter/new.xml,terminal"], at)).err,
    ).toContain("2 runs reused\n");
    expect((await assay(RESUME, at)).err).toContain("2 runs reused\n");
  });
});

describe("--resume asks before paid runs are made again", () => {
  const PAID = ["run", "skills/greeter", "--harness", "builtin", "--no-grade"];

  async function paidProject() {
    const project = await greeterProject([]);
    const sim = await startSim(
      parseScript("rules:\n  - reply: { parts: [Hello Ada], usage: { input: 9000, output: 300 } }"),
    );
    const env = { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: sim.url };
    return {
      ...project,
      sim,
      at: { cwd: project.root, env },
      async [Symbol.asyncDispose]() {
        await sim.close();
        await project[Symbol.asyncDispose]();
      },
    };
  }

  it("refuses without a terminal, with what would be repeated and the flag", async () => {
    await using project = await paidProject();
    const { at, sim } = project;
    await assay(PAID, at);
    const asked = questionsTo(sim);
    expect((await assay([...PAID, "--resume"], at)).exitCode).toBe(0);
    await edit(project.path(SKILL), "hello", "hi");
    const { exitCode, err } = await assay([...PAID, "--resume"], at);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/paid for again.*: greeter: SKILL.md changed: 2 trials, about \$0\.\d+ \[/);
    expect(err).toContain("--yes");
    expect(questionsTo(sim)).toBe(asked);
    expect((await assay([...PAID, "--resume", "-y"], at)).exitCode).toBe(0);
    expect(questionsTo(sim)).toBe(2 * asked);
  });

  it("asks at a terminal, showing all of it, and runs nothing after a no", async () => {
    await using project = await paidProject();
    const { at, sim } = project;
    await assay(PAID, at);
    const asked = questionsTo(sim);
    await edit(project.path(EVALS), "Greet Bob", "Greet Bob kindly");
    const shown: string[] = [];
    const answering = (answer: string) => ({
      ...at,
      answer: (question: string, err: string) => {
        shown.push(err + question);
        return answer;
      },
    });
    const no = await assay([...PAID, "--resume"], answering("n"));
    expect([no.exitCode, questionsTo(sim)]).toEqual([2, asked]);
    expect(shown[0]).toMatch(
      /greeter: skills.greeter.evals.evals.json: prompt of case 2 changed: 1 trial, about \$0.\d+\nRun 1 trial again\? \[y\/N\] $/,
    );
    expect((await assay([...PAID, "--resume"], answering("y"))).exitCode).toBe(0);
    expect(questionsTo(sim)).toBe(asked + 1);
  });

  it("asks nothing where only what was never run is to run", async () => {
    await using project = await paidProject();
    const { at } = project;
    await assay([...PAID, "--case", "1"], at);
    const { exitCode, err } = await assay([...PAID, "--resume"], at);
    expect(exitCode).toBe(0);
    expect(err).toMatch(
      /continuing iteration-1: 1 run reused \(saves about \$0\.\d+\), 1 trial still to run/,
    );
  });
});

describe("--retry-errors", () => {
  const fail = { reason: "auth", message: "not logged in" };
  const HALF = [GOOD_REPLIES[0]!, { when: { prompt: "Bob" }, steps: [{ fail }] }];
  const RETRY = [...RUN, "--retry-errors"];

  it("runs only what was left out, even where something changed, and says so", async () => {
    await using project = await greeterProject(HALF);
    const at = { cwd: project.root };
    expect((await assay(RUN, at)).exitCode).toBe(3);
    await writeFile(project.path("script.json"), JSON.stringify({ replies: GOOD_REPLIES }));
    await edit(project.path(SKILL), "hello", "hi");
    const { exitCode, err, out } = await assay(RETRY, at);
    expect(err).toContain("1 trial that iteration-1 left out runs, and nothing else");
    expect(err).toContain("SKILL.md changed; 1 finished run of iteration-1 stays as it is");
    expect(exitCode).toBe(0);
    expect(out).toContain("2 of 2 trials counted");
    const started = (await journal(project.root)).flatMap((event) =>
      event.kind === "trial-started" ? event.trial.id : [],
    );
    expect(started.toSorted()).toEqual(["1/with_skill/run-1", "2/with_skill/run-1", "2/with_skill/run-1"]);
    const nothing = await assay(RETRY, at);
    expect(nothing.err).toContain("iteration-1 left nothing out, so nothing runs");
    expect(await startedIn(project.root)).toBe(3);
  });

  it("leaves alone what is not selected, and still shows it as missing", async () => {
    await using project = await greeterProject([{ steps: [{ fail }] }]);
    const at = { cwd: project.root };
    await assay(RUN, at);
    await writeFile(project.path("script.json"), JSON.stringify({ replies: GOOD_REPLIES }));
    const { exitCode, out } = await assay([...RETRY, "--case", "1"], at);
    expect(exitCode).toBe(3);
    expect(out).toContain("1 of 2 trials counted");
    expect((await assay(RETRY, at)).exitCode).toBe(0);
  });

  it("refuses where there is nothing to retry, and beside --affected", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    const none = await assay(RETRY, at);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining("no earlier iteration to retry")]);
    await assay(RUN, at);
    expect((await assay([...RETRY, "--affected"], at)).exitCode).toBe(2);
  });
});

it("counts what attempts cost that were tried again, apart from the runs that count", async () => {
  const usage = { input_tokens: 1000, output_tokens: 10, cost_usd: 0.05 };
  const overloaded = { reason: "api", message: "overloaded", status: 529 };
  await using project = await greeterProject([{ steps: [{ usage }, { fail: overloaded }] }]);
  const at = { cwd: project.root };
  const first = await assay([...RUN, "--case", "1"], at);
  expect(first.out).toContain("$0.15 ($0.10 of it in 2 attempts that did not count)");
});
