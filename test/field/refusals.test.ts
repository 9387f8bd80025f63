import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TESTED } from "../../src/engine/preflight/agent.ts";
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
      "Codex needs OPENAI_API_KEY, CODEX_API_KEY or a login.",
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

  it.each([
    ["claude-code", "ANTHROPIC", GOOD.anthropicKey],
    ["codex", "OPENAI", GOOD.openaiKey],
  ])("a service that cannot be reached, with %s", async (harness, vendor, key) => {
    await using home = await tempTree();
    const gone = await strictService();
    await gone[Symbol.asyncDispose]();
    const env = { [`${vendor}_API_KEY`]: key, [`${vendor}_BASE_URL`]: gone.url };
    const { exitCode, err } = await run(home, env, "--harness", harness);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
    expect(err).toContain(`cannot be reached at ${gone.url} (ECONNREFUSED)`);
    await expectNothingLeft();
  });
});

describe("a login that the service refuses is told before anything runs", () => {
  const WRONG = { claude: "sk-ant-oat01-wrong-token", codex: "wrong.e30.signature-of-nobody" };
  const claude = { claudeAiOauth: { accessToken: WRONG.claude, expiresAt: 4e12 } };
  const codex = { tokens: { access_token: WRONG.codex, account_id: GOOD.account } };

  interface Wrong {
    readonly env?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
    readonly fix: string;
  }

  it.each<[string, string, Wrong]>([
    [
      "a token",
      "claude-code",
      { env: { CLAUDE_CODE_OAUTH_TOKEN: WRONG.claude }, fix: "run claude setup-token" },
    ],
    [
      "a file",
      "claude-code",
      { files: { [CLAUDE_FILE]: JSON.stringify(claude) }, fix: "run claude and /login" },
    ],
    ["a file", "codex", { files: { ".codex/auth.json": JSON.stringify(codex) }, fix: "run codex login" }],
  ])("%s of %s", async (_, harness, { env = {}, files = {}, fix }) => {
    await using home = await tempTree(files);
    const address = harness === "codex" ? "OPENAI_BASE_URL" : "ANTHROPIC_BASE_URL";
    const { exitCode, err } = await run(home, { ...env, [address]: service.url }, "--harness", harness);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
    expect(err.match(/refuses your login from/g)).toHaveLength(1);
    expect(err.slice(err.indexOf("hint:"))).toContain(fix);
    for (const token of Object.values(WRONG)) expect(err).not.toContain(token);
    await expectNothingLeft();
  });
});

describe("a credentials file of no use, where a server is named", () => {
  it("is said, and the server is asked without it", async () => {
    await using home = await tempTree({ [CLAUDE_FILE]: expired });
    const { err } = await run(home, { ANTHROPIC_BASE_URL: service.url }, "--harness", "claude-code");
    expect(err).toContain("anthropic refuses a request without a key");
    expect(err).toContain(
      `Claude Code uses ANTHROPIC_BASE_URL without a login: ~/${CLAUDE_FILE} expired at 1970-01-01`,
    );
    await expectNothingLeft();
  });
});

describe("a key that no request can carry is refused by name, and never printed", () => {
  it.each([
    ["ANTHROPIC_API_KEY", "sk-ant-api03-first\nsecond-half", "a line break"],
    ["OPENAI_API_KEY", "sk-proj-first second-half", "a space"],
    ["ANTHROPIC_API_KEY", "sk-ant-api03-fïrst-second-half", "a character that no key has"],
  ])("%s with %j", async (variable, value, part) => {
    await using home = await tempTree();
    const env = { ANTHROPIC_BASE_URL: service.url, [variable]: value };
    const { exitCode, err } = await run(home, env, "--harness", "claude-code");
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
    expect(err).toContain(`${variable} has ${part} in it, so it was not sent.`);
    expect(err).not.toContain("second-half");
    await expectNothingLeft();
  });

  it("a token in a file neither", async () => {
    const broken = { claudeAiOauth: { accessToken: "sk-ant-oat01-first\nsecond-half", expiresAt: 4e12 } };
    await using home = await tempTree({ [CLAUDE_FILE]: JSON.stringify(broken) });
    const { exitCode, err } = await run(home, {}, "--harness", "claude-code");
    expect(exitCode).toBe(2);
    expect(err).toContain("holds a token with a line break in it");
    expect(err).not.toContain("second-half");
  });
});

describe("a name for a model", () => {
  const anthropic = () => ({ ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url });
  const model = async (name: string) => {
    await using home = await tempTree();
    const args = ["--harness", "claude-code", "--model", name, "--workspace", home.root];
    return await run(home, anthropic(), ...args);
  };

  it("of no vendor is refused where the service's list lacks it", async () => {
    const { exitCode, err } = await model("unknown-model-7");
    expect(exitCode).toBe(2);
    expect(err).toContain('anthropic has no model "unknown-model-7".');
  });

  it("that only the client may know is noted as not checked, and runs", async () => {
    const { exitCode, err } = await model("sonet");
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
    expect(err.match(/was not checked/g)).toHaveLength(1);
    expect(err).toContain("The model sonet was not checked: it may be a name that only claude knows.");
    expect(err).toContain("did you mean sonnet?");
  });

  it.each(["sonnet", "claude-sonnet-4-5"])("%s is fine", async (name) => {
    const { exitCode, err } = await model(name);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
    expect(err).not.toContain("was not checked");
  });
});

describe("a program or place that is named and not there is refused by name", () => {
  it("ASSAY_CLAUDE, also where another agent is installed", async () => {
    await using home = await tempTree();
    const env = { OPENAI_API_KEY: GOOD.openaiKey, OPENAI_BASE_URL: service.url };
    const { exitCode, err } = await run(home, { ...env, ASSAY_CLAUDE: "/nowhere/claude" });
    expect(exitCode).toBe(2);
    expect(err).toContain('ASSAY_CLAUDE is "/nowhere/claude", which is not a program that can be run');
    await expectNothingLeft();
  });

  it("--project-root without a name", async () => {
    await using home = await tempTree();
    const { exitCode, err } = await run(home, {}, "--project-root", "");
    expect(exitCode).toBe(2);
    expect(err).toMatch(/--project-root.*invalid/);
    await expectNothingLeft();
  });
});

describe("an agent that cannot be started is refused before anything runs", () => {
  const key = () => ({ ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url });

  it("where a script names an interpreter that is not there", async () => {
    await using home = await tempTree({ "agent.sh": "#!/nowhere/interpreter\n" });
    await chmod(home.path("agent.sh"), 0o755);
    const agent = ["--harness", "command", "--command", home.path("agent.sh")];
    const { exitCode, err } = await run(home, key(), ...agent);
    expect(exitCode).toBe(2);
    expect(err).toContain("cannot be started: its first line names /nowhere/interpreter");
    await expectNothingLeft();
  });

  it("where the client itself says so", async () => {
    await using home = await tempTree({ claude: "#!/bin/sh\necho 'libgone.so: not found' >&2; exit 127\n" });
    await chmod(home.path("claude"), 0o755);
    const env = { ...key(), ASSAY_CLAUDE: home.path("claude") };
    const { exitCode, err } = await run(home, env, "--harness", "claude-code");
    expect(exitCode).toBe(2);
    expect(err).toContain("cannot be started: libgone.so: not found");
    await expectNothingLeft();
  });

  it("where the judge refuses the key, also of an agent that costs nothing", async () => {
    await using home = await tempTree();
    const env = { ANTHROPIC_API_KEY: "wrong", ANTHROPIC_BASE_URL: service.url };
    const { exitCode, err } = await run(home, env, "--harness", "command", "--command", "true");
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
    await expectNothingLeft();
  });

  it("where agent and judge have the same key, in one sentence", async () => {
    await using home = await tempTree();
    const env = { ANTHROPIC_API_KEY: "wrong", ANTHROPIC_BASE_URL: service.url };
    const { err } = await run(home, env, "--harness", "claude-code");
    expect(err.match(/refuses the key/g)).toHaveLength(1);
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
    expect(err).toContain('the grading model "house-model" does not say which service has it');
  });
});

describe("ASSAY_CLAUDE and ASSAY_CODEX", () => {
  it.each([
    ["claude-code", "ASSAY_CLAUDE", () => clients.claude, "anthropic"],
    ["codex", "ASSAY_CODEX", () => clients.codex, "openai"],
  ] as const)(
    "name the program of %s that runs trials and judges",
    async (harness, variable, program, vendor) => {
      await using home = await tempTree();
      const key = vendor === "anthropic" ? GOOD.anthropicKey : GOOD.openaiKey;
      const name = vendor.toUpperCase();
      const access = { [`${name}_API_KEY`]: key, [`${name}_BASE_URL`]: service.url };
      const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
      const args = ["--harness", harness, "--transport", "cli", "--workspace", home.root];
      const { exitCode, err } = await run(home, { ...access, PATH, [variable]: program() }, ...args);
      expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
      expect(err).toMatch(/^judge: \S+ through the (?:claude|codex) CLI;/m);
    },
  );

  it("that name nothing are told, for the judge too", async () => {
    await using home = await tempTree();
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const args = ["--harness", "builtin", "--transport", "cli", "--grading-provider", "anthropic"];
    const { exitCode, err } = await run(home, { ...env, ASSAY_CLAUDE: "/nowhere/claude" }, ...args);
    expect(exitCode).toBe(2);
    expect(err).toContain("judging through the CLI needs claude, which was not found");
    expect(err).toContain("set ASSAY_CLAUDE to its path");
  });
});

describe("a client that is older than any Assay was tested with", () => {
  it("is a note, and runs", async () => {
    await using home = await tempTree();
    await using older = await tempTree({
      claude: `#!/bin/sh\n[ "$1" = --version ] && { echo "1.0.5 (Claude Code)"; exit; }\nexec ${clients.claude} "$@"\n`,
    });
    await chmod(older.path("claude"), 0o755);
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const args = ["--harness", "claude-code", "--workspace", home.root];
    const { exitCode, err } = await run(home, { ...env, ASSAY_CLAUDE: older.path("claude") }, ...args);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
    const note = "note: claude 1.0.5 is older than 2.1.197, the oldest version that Assay is tested with.";
    expect(err.split(note)).toHaveLength(2);
    expect(err).toContain("npm install -g @anthropic-ai/claude-code@latest");
  });

  it("is told from the versions that docs/harnesses.md names", async () => {
    const page = await readFile(new URL("../../docs/harnesses.md", import.meta.url), "utf8");
    for (const names of [
      ["claude-code", "codex"],
      ["qwen", "gemini"],
    ]) {
      const versions = names.map((name) => TESTED[name]?.versions.join(", "));
      expect(page).toContain(`| tested with | ${versions.join(" | ")} |`);
    }
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
      expect.stringMatching(/^judge: claude-sonnet-4-6 at anthropic; sandbox: none; 1 trial$/),
      "estimate: time unknown, cost unknown",
    ]);
  });

  it.each(["--affected", "--resume", "--retry-errors"])(
    "count with %s only what is made again",
    async (how) => {
      await using home = await tempTree();
      const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
      const again = ["--harness", "claude-code", "--no-grade", "--workspace", home.root];
      await run(home, env, ...again);
      const { err } = await run(home, env, ...again, how);
      expect(err).toContain("; no trials\nestimate: nothing is left to run\n");
    },
  );

  it("also for a program of one's own", async () => {
    await using home = await tempTree();
    const env = { ANTHROPIC_API_KEY: GOOD.anthropicKey, ANTHROPIC_BASE_URL: service.url };
    const agent = ["--harness", "command", "--command", "true", "--runs", "3", "--concurrency", "2"];
    const { err } = await run(home, env, ...agent, "--workspace", home.root);
    expect(err).toContain(
      "greeter with command true, model its own default\njudge: claude-sonnet-4-6 at anthropic; sandbox: none; 3 trials, 2 at once\nestimate: ",
    );
  });
});
