import { execFile } from "node:child_process";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import { builtCommand } from "../support/built-command.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { claude, codexClient, geminiClient, type PinnedClient, qwenClient } from "./support/clients.ts";

const KEY = "sk-real-0815-471100112233";

/** Agent, probes and judge are all played from here, in whatever dialect they are asked. */
const SCRIPT = `
rules:
  - when: { structured: true }
    reply: { verdicts: [{ criterion: greets Bob, quote: "0x42 Bob, hello." }] }
  - when: { userText: Greet Ada }
    steps:
      - - { tool: skill, input: { name: hex-greeter, args: Ada } }
      - - { tool: write, input: { path: "{{cwd}}/out/ada.txt", content: "0x41 Ada" } }
      - Written.
  - when: { userText: Greet Bob }
    steps:
      - parts: ["0x42 Bob, hello."]
        usage: { input: 500, output: 40 }
  - when: { userText: Say hello to Eve }
    steps:
      - - { tool: skill, input: { name: "{{request /(hex-greeter-[0-9a-f]{8})/}}", args: Eve } }
      - Asked for only where the client is quicker than the end that is made of it.
  - when: { userText: Add one and two }
    steps: [Three.]
  - when: { userText: Use the skill }
    steps:
      - - { tool: skill, input: { name: "{{request /(hex-greeter-[0-9a-f]{8})/}}", args: Ada } }
      - Asked for only where the client is quicker than the end that is made of it.
`;

const PROJECT = {
  "assay.config.json": "{}",
  "README.md": "# A project\n",
  "skills/hex-greeter/SKILL.md":
    "---\nname: hex-greeter\ndescription: Greets people in hexadecimal.\n---\nBegin with the first letter in hexadecimal.\n",
  "skills/hex-greeter/evals/evals.json": JSON.stringify({
    skill_name: "hex-greeter",
    evals: [
      {
        id: 1,
        prompt: "Greet Ada in a file.",
        assay: { checks: [{ type: "file_exists", path: "out/ada.txt" }] },
      },
      { id: 2, prompt: "Greet Bob.", expectations: ["The answer greets Bob in hexadecimal"] },
    ],
  }),
  "skills/hex-greeter/evals/trigger-eval.json": JSON.stringify([
    { query: "Say hello to Eve.", should_trigger: true },
    { query: "Add one and two.", should_trigger: false },
  ]),
};

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => {
  command = await builtCommand();
}, 60_000);
afterAll(() => command[Symbol.asyncDispose]());

for (const client of [await claude(), await codexClient(), await qwenClient(), await geminiClient()]) {
  const { harness, installed, version } = client;
  const isReplayed = harness.name === "claude-code" || harness.name === "codex";

  describe.skipIf(!installed)(`the built command with ${harness.name} ${version}`, () => {
    it("runs a project: files, a judge and triggers", async () => {
      const { root } = await project();
      const sim = await service();
      const { status, stdout, stderr } = await run(client, { root, sim });
      expect(`exit ${status}: ${stderr}`).toMatch(/^exit 0: /);
      expect(stdout).toContain("passed");
      expect(await verdictsIn(root)).toMatchObject(EXPECTED);
      expect(await rates(root)).toEqual({ "Say hello to Eve.": "1/1", "Add one and two.": "0/1" });
      const runs = finished(await journal(root));
      expect(runs.map((one) => one.validity.status)).toEqual(runs.map(() => "verified"));
      expect(runs.find((one) => one.trialId.startsWith("2/"))?.usage).toMatchObject({
        inputTokens: 500,
        outputTokens: 40,
      });
      expect(sim.unmatched.map(({ unmatched }) => unmatched)).toEqual([]);
      expect(await textOf(join(root, ".assay"))).not.toContain(KEY);
    });

    it.runIf(isReplayed)(
      "records a run, and gives the same verdicts elsewhere without a service or a key",
      async () => {
        const first = await project();
        const sim = await service();
        const recorded = await run(client, { root: first.root, sim }, "--record");
        expect(`exit ${recorded.status}: ${recorded.stderr}`).toMatch(/^exit 0: /);
        await sim.close();

        const second = await tempTree();
        onTestFinished(() => second[Symbol.asyncDispose]());
        for (const name of ["assay.config.json", "README.md", "skills", ".assay/cassettes"])
          await cp(first.path(name), second.path(name), { recursive: true });
        const replayed = await run(client, { root: second.root, sim: null }, "--replay");
        expect(`exit ${replayed.status}: ${replayed.stderr}`).toMatch(/^exit 0: /);
        expect(await verdictsIn(second.root)).toEqual(await verdictsIn(first.root));
        expect(await verdictsIn(second.root)).toMatchObject(EXPECTED);
        expect(await rates(second.root)).toEqual(await rates(first.root));
        const matches = finished(await journal(second.root)).map((one) => one.replay?.match);
        expect(matches.length).toBeGreaterThanOrEqual(4);
        for (const match of matches) expect(match).toMatch(/^(?:exact|alias)$/);
        expect(await textOf(first.path(".assay/cassettes"))).not.toContain(KEY);
      },
    );
  });
}

const EXPECTED = [
  { trial: "1/with_skill/run-1", layer: "L1", status: "passed" },
  { trial: "2/with_skill/run-1", layer: "L3", status: "passed", evidence: [{ text: "0x42 Bob, hello." }] },
];

async function project(): Promise<TempTree> {
  const tree = await tempTree(PROJECT);
  onTestFinished(() => tree[Symbol.asyncDispose]());
  return tree;
}

async function service(): Promise<Sim> {
  const sim = await startSim(parseScript(SCRIPT));
  onTestFinished(() => sim.close());
  return sim;
}

/** As somebody calls it in the project's folder, whose environment has nothing but the way to the service. */
async function run(
  { harness, program }: PinnedClient,
  { root, sim }: { root: string; sim: Sim | null },
  ...args: readonly string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  const isClaude = harness.name === "claude-code";
  const isGemini = harness.name === "gemini";
  const line = [
    "run",
    ".",
    "--harness",
    harness.name,
    "--runs",
    "1",
    "--transport",
    "api",
    ...(isClaude ? [] : ["--model", isGemini ? "gemini-2.5-pro" : "gpt-5.5", "--grading-provider", "openai"]),
    ...args,
  ];
  const way = isClaude
    ? { ANTHROPIC_BASE_URL: sim?.url, ANTHROPIC_API_KEY: KEY }
    : { OPENAI_BASE_URL: `${sim?.url}/v1`, OPENAI_API_KEY: KEY };
  const env = {
    PATH: process.env["PATH"],
    HOME: "/nonexistent",
    [isClaude ? "ASSAY_CLAUDE" : `ASSAY_${harness.name.toUpperCase()}`]: program,
    ...(sim === null ? {} : way),
    ...(isGemini && { GOOGLE_GEMINI_BASE_URL: sim?.url, GEMINI_API_KEY: KEY }),
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [command.path, ...line],
      { cwd: root, env },
      (_, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const ITERATION = ".assay/hex-greeter/iteration-1";

async function journal(root: string): Promise<readonly EvalEvent[]> {
  const text = await readFile(join(root, ITERATION, "journal.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EvalEvent);
}

function finished(events: readonly EvalEvent[]) {
  return events.flatMap((event) => (event.kind === "trial-finished" ? [event.run] : []));
}

/** Of the two cases; what triggers say is in a file of its own. */
async function verdictsIn(root: string) {
  return (await journal(root))
    .flatMap((event) => (event.kind === "verdicts-recorded" ? [event.grading] : []))
    .filter(({ trialId }) => /^[12]\//.test(trialId))
    .flatMap(({ trialId, verdicts }) =>
      verdicts.map(({ checkId, layer, status, evidence, reason }) => ({
        trial: trialId,
        checkId,
        layer,
        status,
        evidence,
        reason,
      })),
    )
    .toSorted((a, b) => a.trial.localeCompare(b.trial));
}

async function rates(root: string): Promise<Record<string, string>> {
  const { results } = JSON.parse(
    await readFile(join(root, ITERATION, "triggers.json"), "utf8"),
  ) as TriggersFile;
  return Object.fromEntries(results.map(({ query, triggers, runs }) => [query, `${triggers}/${runs}`]));
}

/** Of all files below a folder. */
async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")),
  );
  return texts.join("\n");
}
