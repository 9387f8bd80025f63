import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal } from "../support/project.ts";

const SKILL = "skills/greeter/SKILL.md";
const OLDER = "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hey.\n";
const USAGE = "usage: { input: 9000, output: 300 }";
const GREETS = `rules:\n  - reply: { parts: [Hello Ada], ${USAGE} }`;
/** Bob's runs are refused by the service. */
const HALF = `rules:
  - when: { userText: Bob }
    fault: { status: 403 }
  - reply: { parts: [Hello Ada], ${USAGE} }`;

/** A project whose agent costs money, at a service that can move and change its mind. */
async function paidProject(script: string) {
  const project = await greeterProject([], { "older/SKILL.md": OLDER });
  let sim = await startSim(parseScript(script));
  let asked = 0;
  const countAsked = () => sim.requests.filter(({ method }) => method === "POST").length;
  return {
    ...project,
    /** Questions to the model since the start. */
    asked: () => asked + countAsked(),
    async move(to: string) {
      asked += countAsked();
      await sim.close();
      sim = await startSim(parseScript(to));
    },
    call: (args: readonly string[], answer?: (question: string, err: string) => string) =>
      assay(args, {
        cwd: project.root,
        env: { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: sim.url },
        ...(answer !== undefined && { answer }),
      }),
    async edit(from: string, to: string) {
      const text = await readFile(project.path(SKILL), "utf8");
      expect(text).toContain(from);
      await writeFile(project.path(SKILL), text.replace(from, to));
    },
    async [Symbol.asyncDispose]() {
      await sim.close();
      await project[Symbol.asyncDispose]();
    },
  };
}

describe.each([
  {
    command: "bench",
    words: ["bench", "skills/greeter", "--smoke", "--no-grade", "--harness", "builtin"],
    arm: "with_skill",
  },
  {
    command: "compare",
    words: ["compare", "older", "skills/greeter", "--flips", "--runs", "1", "--harness", "builtin"],
    arm: "new_skill",
  },
])("$command", { timeout: 60_000 }, ({ words, arm }) => {
  it("--resume reuses everything where nothing changed, wherever the service is", async () => {
    await using project = await paidProject(GREETS);
    expect((await project.call(words)).exitCode).toBeLessThan(2);
    const before = project.asked();
    await project.move(GREETS);
    const { err, exitCode } = await project.call([...words, "--resume"]);
    expect(exitCode).toBeLessThan(2);
    expect(err).toMatch(/greeter: continuing iteration-1: 4 runs reused \(saves about \$0\.\d+\)\n/);
    expect(project.asked()).toBe(before);
  });

  it("--resume says which arm runs again and why, and refuses to pay again unasked", async () => {
    await using project = await paidProject(GREETS);
    await project.call(words);
    const before = project.asked();
    await project.edit("Say hello.", "Say hi.");
    const refused = await project.call([...words, "--resume"]);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toMatch(/iteration-1: 2 runs reused \(saves about \$0\.\d+\), 2 trials run again\n/);
    expect(refused.err).toMatch(/paid for again.*: greeter: SKILL.md changed: 2 trials, about \$0\.\d+ \[/);
    expect(refused.err).toContain("--yes");
    expect(project.asked()).toBe(before);

    const agreed = await project.call([...words, "--resume", "--yes"]);
    expect(agreed.exitCode).toBeLessThan(2);
    expect(project.asked()).toBe(before + 2);
    const [, noted] = /2 trials run again, about (\$0\.\d+)\n/.exec(agreed.err) ?? [];
    expect(agreed.err).toMatch(new RegExp(`estimate: under 1 minute, \\${noted}\n`));
    const started = (await journal(project.root)).flatMap((event) =>
      event.kind === "trial-started" ? [event.trial.variant] : [],
    );
    expect(started).toHaveLength(6);
    expect(started.slice(4)).toEqual([arm, arm]);
  });

  it("--resume asks at a terminal, and runs nothing after a no", async () => {
    await using project = await paidProject(GREETS);
    await project.call(words);
    const before = project.asked();
    await project.edit("Say hello.", "Say hi.");
    const questions: string[] = [];
    const answering = (answer: string) => (question: string) => {
      questions.push(question);
      return answer;
    };
    expect((await project.call([...words, "--resume"], answering("n"))).exitCode).toBe(2);
    expect(project.asked()).toBe(before);
    expect((await project.call([...words, "--resume"], answering("y"))).exitCode).toBeLessThan(2);
    expect(project.asked()).toBe(before + 2);
    expect(questions).toEqual(Array(2).fill("Run 2 trials again? [y/N] "));
  });

  it("--retry-errors runs only what was left out, although the skill changed, and asks nothing", async () => {
    await using project = await paidProject(HALF);
    expect((await project.call(words)).exitCode).toBe(3);
    await project.move(GREETS);
    const before = project.asked();
    await project.edit("Say hello.", "Say hi.");
    const { err, exitCode } = await project.call([...words, "--retry-errors"]);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit [01]:/);
    expect(err).toContain("SKILL.md changed; 1 finished run of iteration-1 stays as it is");
    expect(err).toContain("2 trials that iteration-1 left out run, and nothing else");
    expect(project.asked()).toBe(before + 2);
    const nothing = await project.call([...words, "--retry-errors"]);
    expect(nothing.err).toContain("iteration-1 left nothing out, so nothing runs");
    expect(project.asked()).toBe(before + 2);
  });
});

it("a damaged journal: --resume says how many runs may be lost and what they cost, and asks before it pays again", async () => {
  const words = ["run", "skills/greeter", "--harness", "builtin", "--no-grade", "--runs", "2"];
  await using project = await paidProject(GREETS);
  expect((await project.call(words)).exitCode).toBeLessThan(2);
  const before = project.asked();
  const path = project.path(".assay/greeter/iteration-1/journal.jsonl");
  const lines = (await readFile(path, "utf8")).split("\n");
  const ends = lines.flatMap((line, at) => (line.includes('"kind":"trial-finished"') ? [at] : []));
  const damaged = lines.map((line, at) => (ends.slice(0, 2).includes(at) ? line.slice(0, 40) : line));
  await writeFile(path, damaged.join("\n"));

  for (const flag of ["--resume", "--retry-errors"]) {
    const refused = await project.call([...words, flag]);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toMatch(
      /paid for again.*: greeter: the journal cannot be read at 2 lines, which may have held these runs: 2 trials, about \$0\.\d+ \[/,
    );
  }
  expect(project.asked()).toBe(before);

  const resumed = await project.call([...words, "--resume", "--yes"]);
  expect(resumed.err).toMatch(
    /continuing iteration-1: 2 runs reused \(saves about \$0\.\d+\), 2 trials run again\n/,
  );
  expect(project.asked()).toBe(before + 2);
}, 60_000);
