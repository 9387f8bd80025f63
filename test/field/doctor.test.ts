import { chmod, readdir } from "node:fs/promises";
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
    expect(subjects).toEqual(
      "agent login model judge sandbox git disk path results project evals".split(" "),
    );
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

  it.each([
    ["qwen", "Qwen Code", "OPENAI_API_KEY"],
    ["gemini", "Gemini CLI", "GEMINI_API_KEY"],
  ])("asks for the key of %s", async (name, title, variable) => {
    const named = { [`ASSAY_${name.toUpperCase()}`]: clients.codex };
    const without = await look(named, "--harness", name);
    expect(without.exitCode).toBe(2);
    expect(without.out).toMatch(new RegExp(`^login +FAILED ${title} needs ${variable} or`, "m"));
    const keyed = await look({ ...named, [variable]: "k-1234567890" }, "--harness", name);
    expect(keyed.out).toMatch(new RegExp(`^login +ok +${title} uses ${variable}`, "m"));
  });

  it("finds a key that is wrong", async () => {
    const { exitCode, out } = await look({ ANTHROPIC_API_KEY: "sk-wrong", ANTHROPIC_BASE_URL: service.url });
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^model +FAILED anthropic refuses the key in ANTHROPIC_API_KEY/m);
    expect(out.match(/^judge /gm)).toHaveLength(1);
    expect(out).toMatch(/^judge +FAILED anthropic refuses the key/m);
  });

  it("finds a service that is not there, in one line for the judge", async () => {
    const gone = await strictService();
    await gone[Symbol.asyncDispose]();
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: gone.url };
    const { exitCode, out } = await look(env);
    expect(exitCode).toBe(2);
    expect(out.match(/^judge .*$/gm)).toEqual([expect.stringContaining("cannot be reached")]);
  });

  it("finds a program to judge with that cannot be started", async () => {
    await using home = await tempTree({ claude: "#!/bin/sh\necho 'libgone.so: not found' >&2; exit 127\n" });
    await chmod(home.path("claude"), 0o755);
    const env = {
      ANTHROPIC_API_KEY: GOOD.anthropicKey,
      ANTHROPIC_BASE_URL: service.url,
      ASSAY_CLAUDE: home.path("claude"),
    };
    const { exitCode, out } = await look(env, "--harness", "builtin", "--transport", "cli");
    expect(exitCode).toBe(2);
    expect(out.match(/^judge .*$/gm)).toEqual([expect.stringMatching(/FAILED .*libgone\.so/)]);
  });

  it("finds a wrong login before it fails in a run", async () => {
    const env = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-wrong-token", ANTHROPIC_BASE_URL: service.url };
    const { exitCode, out } = await look(env);
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^model +FAILED anthropic refuses your login from CLAUDE_CODE_OAUTH_TOKEN/m);
    expect(out).not.toContain("sk-ant-oat01-wrong-token");
  });

  it("names a key with a line break, and looks at everything else", async () => {
    const env = { OPENAI_API_KEY: "sk-proj-first\nsecond-line", ANTHROPIC_API_KEY: GOOD.anthropicKey };
    const { exitCode, out } = await look({ ...env, ANTHROPIC_BASE_URL: service.url });
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^login +FAILED OPENAI_API_KEY has a line break in it/m);
    expect(out).toMatch(/^judge +ok /m);
    expect(out).not.toContain("second-line");
  });

  it("looks at the agent that --command and --script name", async () => {
    const found = await look({}, "--harness", "command", "--command", "true");
    expect(found.out).toMatch(/^agent +ok +The agent is command\.$/m);
    const missing = await look({}, "--harness", "command", "--command", "no-such-agent");
    expect(missing.out).toMatch(/^agent +FAILED .*cannot find the program "no-such-agent"/m);
    const script = await look({}, "--harness", "scripted", "--script", "nowhere.yaml");
    expect(script.out).toMatch(/^agent +FAILED .*nowhere\.yaml/m);
  });

  it("tries whether results can be written, and leaves nothing of that", async () => {
    await using home = await tempTree({ file: "" });
    const good = await look({}, "--workspace", home.path("new/results"));
    expect(good.out).toMatch(/^results +ok +Results go to .*new\/results\.$/m);
    expect(await readdir(home.root)).toEqual(["file"]);
    const bad = await look({}, "--workspace", home.path("file/results"));
    expect(bad.out).toMatch(/^results +FAILED Results cannot be written to .*\(ENOTDIR\)/m);
    expect(bad.out).toContain("choose a folder with --workspace");
  });

  it("finds nothing wrong with a folder that has no skill yet", async () => {
    await using empty = await tempTree();
    const PATH = `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
    const env = { PATH, ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const { exitCode, out } = await assay(["doctor"], { cwd: empty.root, env });
    expect(out).toMatch(/^evals +- +No eval files found here\. assay init writes a first case\.$/m);
    expect(exitCode).toBe(0);
    const named = await assay(["doctor", "nowhere"], { cwd: empty.root, env });
    expect(named.out).toMatch(/^evals +FAILED .*\n +fix: assay check nowhere$/m);
    const apart = await assay(["doctor", "--evals", "my evals"], { cwd: empty.root, env });
    expect(apart.out).toMatch(/^evals +FAILED .*\n +fix: assay check --evals "my evals"$/m);
  });

  it("counts what is usable of a long PATH with missing and relative entries", async () => {
    const entries = [
      ...Array.from({ length: 500 }, (_, at) => `/no/such/folder/${at}`),
      "bin",
      "./x",
      "",
      "/bin",
    ];
    const { out } = await look({ PATH: entries.join(":"), ASSAY_CLAUDE: clients.claude });
    expect(out).toMatch(
      /^path +note +Agents can use 1 of the 504 directories on PATH; 500 not found; 3 left out as relative \(bin, \.\/x, ""\)\.$/m,
    );
  });

  it.each([
    ["", /^path +FAILED PATH is empty/m],
    ["/no/such/folder", /^path +FAILED Agents can use no directory on PATH; 1 not found\.$/m],
    ["/bin:/bin:/bin", /^path +ok +Agents can use the only directory on PATH\.$/m],
    [":/bin", /^path +note +.*1 left out as relative \(""\)\.$/m],
    ["/etc/passwd:/bin", /^path +ok +Agents can use 1 of the 2 directories on PATH; 1 not found\.$/m],
  ])("of the PATH %j", async (PATH, line) => {
    const { out } = await look({ PATH, ASSAY_CLAUDE: clients.claude });
    expect(out).toMatch(line);
  });
});
