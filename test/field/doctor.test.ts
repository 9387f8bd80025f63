import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Examination } from "../../src/operations/doctor.ts";
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
    "bin/claude": `->${clients.claude}`,
    "bin/codex": `->${clients.codex}`,
  });
});
afterAll(async () => {
  for (const one of [clients, service, project]) await one[Symbol.asyncDispose]();
});

function look(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const PATH = `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  return assay(["doctor", "skills/greeter", ...args], { cwd: project.root, env: { PATH, ...env } });
}

describe("assay doctor", () => {
  it("has a line for everything that a run needs", async () => {
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const { exitCode, out } = await look(env);
    expect(exitCode).toBe(0);
    const subjects = out
      .split("\n")
      .filter((line) => /^\w/.test(line))
      .map((line) => line.split(" ")[0]);
    expect(subjects).toEqual("agent login model judge sandbox git disk path project evals".split(" "));
    expect(out).toContain("Claude Code uses ANTHROPIC_API_KEY.");
    expect(out).toContain("The judge is claude-sonnet-4-6 at anthropic.");
    expect(out).not.toContain(GOOD.anthropicKey);
  });

  it("has a fix for everything that fails, as data too", async () => {
    const { exitCode, out } = await look({}, "--json");
    expect(exitCode).toBe(2);
    const { verdict, findings } = JSON.parse(out) as Examination;
    expect(verdict).toBe("not-ready");
    const failures = findings.filter(({ status }) => status === "failed");
    expect(failures.map(({ subject }) => subject)).toEqual(["login", "judge"]);
    for (const { fix } of failures) expect(fix).toContain("ANTHROPIC_API_KEY");
  });

  it("names an agent that is not there, and how to install it", async () => {
    const { exitCode, out } = await look({ ASSAY_CODEX: "/nowhere/codex" }, "--harness", "codex");
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^agent +FAILED Codex is not installed/m);
    expect(out).toContain("npm install -g @openai/codex");
  });

  it("finds a key that is wrong", async () => {
    const { exitCode, out } = await look({ ANTHROPIC_API_KEY: "sk-wrong", ANTHROPIC_BASE_URL: service.url });
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^model +FAILED anthropic refuses the key in ANTHROPIC_API_KEY/m);
  });
});
