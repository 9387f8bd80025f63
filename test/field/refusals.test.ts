import { mkdir, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Clients, PROJECT, stubClients } from "./cell.ts";
import { GOOD, type StrictService, strictService } from "./strict-service.ts";

let clients: Clients & AsyncDisposable;
let service: StrictService;
let project: TempTree;
beforeAll(async () => {
  clients = await stubClients();
  service = await strictService();
  project = await tempTree({
    ...PROJECT,
    "unknown/SKILL.eval.json": JSON.stringify({
      skill_name: "greeter",
      test_args: "Ada",
      grading_model: "house-model",
      grading_criteria: [{ id: "greets", criterion: "The answer greets Ada" }],
    }),
    "bin/claude": `->${clients.claude}`,
    "bin/codex": `->${clients.codex}`,
  });
});
afterAll(async () => {
  for (const one of [clients, service, project]) await one[Symbol.asyncDispose]();
});

const CLAUDE_FILE = ".claude/.credentials.json";
const expired = JSON.stringify({ claudeAiOauth: { accessToken: GOOD.claudeToken, expiresAt: 1 } });

async function run(home: TempTree, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const PATH = `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const words = ["run", "skills/greeter", "--sandbox", "none", ...args];
  return assay(words, { cwd: project.root, env: { PATH, HOME: home.root, ...env } });
}

async function expectNothingLeft(): Promise<void> {
  const names = await readdir(project.path(".assay/greeter")).catch(() => []);
  expect(names.filter((name) => name.startsWith("iteration-"))).toEqual([]);
}

describe("a credentials file that is of no use is told, with what to do", () => {
  it.each([
    ["expired", expired, "expired at 1970-01-01T00:00:00.001Z", "run claude once, which refreshes it"],
    ["malformed", "{ not json", "is not JSON", "/login"],
    ["without a login", "{}", "holds no login", "/login"],
  ])("%s", async (_, text, problem, fix) => {
    await using home = await tempTree({ [CLAUDE_FILE]: text });
    const { exitCode, err } = await run(home, {}, "--harness", "claude-code");
    expect(exitCode).toBe(2);
    expect(err).toContain(`Claude Code cannot use ~/${CLAUDE_FILE}: it ${problem}`);
    expect(err.slice(err.indexOf("hint:"))).toContain(fix);
    expect(err).not.toContain(GOOD.claudeToken);
    await expectNothingLeft();
  });

  it("a directory", async () => {
    await using home = await tempTree();
    await mkdir(home.path(CLAUDE_FILE), { recursive: true });
    const { exitCode, err } = await run(home, {}, "--harness", "claude-code");
    expect(exitCode).toBe(2);
    expect(err).toContain("it is a directory");
  });

  it("but not where a key is there", async () => {
    await using home = await tempTree({ [CLAUDE_FILE]: "{ not json" });
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const { exitCode, err } = await run(home, env, "--harness", "claude-code", "--workspace", home.root);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
  });
});

describe("a set-up that cannot work is refused before anything runs", () => {
  const anthropic = () => ({ ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url });

  it.each<[string, readonly string[], string]>([
    [
      "codex with only an Anthropic key",
      ["--harness", "codex"],
      "Codex needs OPENAI_API_KEY or CODEX_API_KEY, or codex login.",
    ],
    [
      "a judge without its key",
      ["--harness", "claude-code", "--grading-provider", "openai"],
      "--grading-provider openai needs OPENAI_API_KEY.",
    ],
    [
      "a model that the service does not have",
      ["--harness", "claude-code", "--model", "claude-unknown-9"],
      'anthropic has no model "claude-unknown-9".',
    ],
    [
      "a judge's model that the service does not have",
      ["--harness", "claude-code", "--grading-model", "claude-unknown-9"],
      'anthropic has no model "claude-unknown-9".',
    ],
    ["a sandbox that there is none of", ["--harness", "claude-code", "--sandbox", "vm"], "no sandbox"],
  ])("%s", async (_, args, message) => {
    await using home = await tempTree();
    const { exitCode, err } = await run(home, anthropic(), ...args);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
    expect(err).toContain(message);
    await expectNothingLeft();
  });

  it("a service that cannot be reached", async () => {
    await using home = await tempTree();
    const gone = await strictService();
    await gone[Symbol.asyncDispose]();
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: gone.url };
    const { exitCode, err } = await run(home, env, "--harness", "claude-code");
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
    expect(err).toContain(`cannot be reached at ${gone.url} (ECONNREFUSED)`);
    await expectNothingLeft();
  });
});

describe("a model of an unknown name is asked", () => {
  const anthropic = () => ({ ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url });

  it.each([
    ["where the flag says", ["--grading-provider", "anthropic"], {}],
    ["where the environment says", [], { ASSAY_GRADING_PROVIDER: "anthropic" }],
  ])("%s", async (_, args, env) => {
    await using home = await tempTree();
    const evals = ["--evals", project.path("unknown/SKILL.eval.json"), "--workspace", home.root];
    const words = ["--harness", "claude-code", ...evals, ...args];
    const { exitCode, err } = await run(home, { ...anthropic(), ...env }, ...words);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
  });

  it("nowhere, where nobody says", async () => {
    await using home = await tempTree();
    const evals = ["--evals", project.path("unknown/SKILL.eval.json"), "--workspace", home.root];
    const { exitCode, err } = await run(home, anthropic(), "--harness", "claude-code", ...evals);
    expect(exitCode).toBe(2);
    expect(err).toContain('the grading model "house-model" does not tell which service has it');
  });
});

describe("before the first trial", () => {
  it("three lines say what runs, who judges, and what it may take", async () => {
    await using home = await tempTree();
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const { err } = await run(home, env, "--harness", "claude-code", "--workspace", home.root);
    const before = err.slice(0, err.indexOf("greeter: 1 trial")).trimEnd().split("\n");
    const lines = before.filter((line) => !line.startsWith("note: ")).slice(-3);
    expect(lines).toEqual([
      "greeter with claude-code 2.1.197, model its own default",
      expect.stringMatching(/^judge: claude-sonnet-4-6 at anthropic; sandbox: none; 1 trial, \d+ at once$/),
      "estimate: time unknown, cost unknown",
    ]);
  });
});
