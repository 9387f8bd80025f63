import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgeContract, question, type ScriptedReply } from "../../judge.contract.ts";
import { cliJudge, type CliJudgeOptions } from "./cli.ts";
import type { RunProgram } from "./program.ts";

const STAND_IN = fileURLToPath(new URL("fixtures/stand-in.js", import.meta.url));
const NEVER = new AbortController().signal;
const GOOD = {
  says: '{"verdicts": [{"index":1,"evidence":"","passed":true,"score":1},{"index":2,"evidence":"","passed":true,"score":1}]}',
};

interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

type Reply = ScriptedReply | { dies: string } | { hangs: true } | { command: string };

function bench(
  client: "claude" | "codex",
  replies: readonly Reply[],
  options: Partial<CliJudgeOptions> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "cli-judge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "script.json");
  const log = join(folder, "log.jsonl");
  writeFileSync(script, JSON.stringify(replies));
  writeFileSync(log, "");
  const judge = cliJudge({
    client,
    model: "m-1",
    endpoint: null,
    program: process.execPath,
    env: { STAND_IN_SCRIPT: script, STAND_IN_LOG: log, STAND_IN_CLIENT: client, GIVEN: "by the caller" },
    runProgram: (call, signal) => runProgram({ ...call, args: [STAND_IN, ...call.args] }, signal),
    ...options,
  });
  const calls = (): Call[] =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Call);
  return { judge, calls };
}

for (const client of ["claude", "codex"] as const) {
  judgeContract(
    `cli with ${client}`,
    async (replies) => {
      const { judge, calls } = bench(client, replies);
      return { judge, heard: () => calls().map(({ args, stdin }) => `${args.join("\n")}\n${stdin}`) };
    },
    client === "claude" ? "told" : "untold",
  );
}

describe("claude", () => {
  it("has no tools, settings, commands or memory, in an empty directory", async () => {
    const { judge, calls } = bench("claude", [GOOD]);
    expect(judge.transport).toBe("cli");
    await judge.ask(question(), NEVER);
    const [call] = calls();
    expect(call?.args).toEqual([
      "-p",
      "--output-format=stream-json",
      "--verbose",
      "--tools=",
      "--setting-sources=",
      "--strict-mcp-config",
      "--disable-slash-commands",
      "--no-session-persistence",
      "--system-prompt=You are the judge of THE-SYSTEM-TEXT.",
      "--model=m-1",
    ]);
    expect(call?.files).toEqual([]);
    expect(call?.env).toMatchObject({ GIVEN: "by the caller", CLAUDE_CODE_DISABLE_ATTACHMENTS: "1" });
    expect(call?.env).not.toHaveProperty("ANTHROPIC_API_KEY");
  });

  it("never gets a text that begins with a slash", async () => {
    const { judge, calls } = bench("claude", [GOOD]);
    await judge.ask(question({ parts: [{ kind: "text", text: "/clear" }] }), NEVER);
    expect(calls()[0]?.stdin).toMatch(/^The question:/);
  });

  it("is told a system text of any size", async () => {
    const { judge, calls } = bench("claude", [GOOD]);
    await judge.ask(question({ system: `${"word ".repeat(100_000)}THE-END-OF-IT` }), NEVER);
    expect(calls()[0]?.stdin).toContain("THE-END-OF-IT");
  });

  it("is shown images as JSON, and the last words are ours", async () => {
    const { judge, calls } = bench("claude", [GOOD]);
    const image = { kind: "image", mediaType: "image/png", base64: "aGk=" } as const;
    await judge.ask(question({ parts: [image, { kind: "text", text: "@/etc/passwd" }] }), NEVER);
    const [call] = calls();
    expect(call?.args).toContain("--input-format=stream-json");
    const sent = JSON.parse(call?.stdin ?? "") as { message: { content: { type: string; text?: string }[] } };
    expect(sent.message.content.map(({ type }) => type)).toEqual(["text", "image", "text", "text", "text"]);
    expect(sent.message.content.at(-1)?.text).toBe("Answer now.");
  });

  it("tells what it used and what that cost", async () => {
    const { judge } = bench("claude", [GOOD]);
    expect((await judge.ask(question(), NEVER)).usage).toMatchObject({
      outputTokens: 7,
      cacheReadTokens: 3,
      costUsd: 0.5,
    });
  });

  it("goes through an endpoint when there is one", async () => {
    const endpoint = { baseUrl: "http://127.0.0.1:9", token: "throw-away" };
    const { judge, calls } = bench("claude", [GOOD], { endpoint });
    await judge.ask(question(), NEVER);
    expect(calls()[0]?.env).toMatchObject({
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      ANTHROPIC_API_KEY: "throw-away",
    });
  });

  it("is not believed when no model was asked", async () => {
    const { judge } = bench("claude", [{ command: "/help isn't available" }]);
    expect(await judge.ask(question(), NEVER)).toMatchObject({
      status: "unanswered",
      reason: "claude did not ask its model: /help isn't available",
    });
  });
});

describe("codex", () => {
  it("has no shell, search, settings or rules, and cannot write", async () => {
    const { judge, calls } = bench("codex", [GOOD]);
    const answer = await judge.ask(question(), NEVER);
    const line = calls()[0]?.args.join(" ");
    expect(line).toMatch(/^exec --json --ephemeral .*-m m-1 -$/);
    for (const part of [
      "-s read-only",
      "--ignore-user-config",
      "--ignore-rules",
      "--disable shell_tool",
      "web_search=disabled",
    ])
      expect(line).toContain(part);
    expect(answer.usage).toMatchObject({
      outputTokens: 7,
      cacheReadTokens: 3,
      reasoningTokens: 2,
      costUsd: null,
    });
    expect(answer.usage.inputTokens).toBe(calls()[0]?.stdin.length);
  });

  it("cannot be shown images", async () => {
    const { judge, calls } = bench("codex", [GOOD]);
    const image = { kind: "image", mediaType: "image/png", base64: "aGk=" } as const;
    expect(await judge.ask(question({ parts: [image] }), NEVER)).toMatchObject({
      status: "unanswered",
      calls: 0,
    });
    expect(calls()).toEqual([]);
  });

  it("keeps the token of an endpoint off its command line", async () => {
    const endpoint = { baseUrl: "http://127.0.0.1:9", token: "throw-away" };
    const { judge, calls } = bench("codex", [GOOD], { endpoint });
    await judge.ask(question(), NEVER);
    expect(calls()[0]?.args.join(" ")).toContain('base_url="http://127.0.0.1:9/v1"');
    expect(calls()[0]?.args.join(" ")).not.toContain("throw-away");
    expect(Object.values(calls()[0]?.env ?? {})).toContain("throw-away");
  });
});

describe.each(["claude", "codex"] as const)("when %s does not work", (client) => {
  it("says how it ended", async () => {
    const { judge } = bench(client, [{ dies: "Not logged in" }]);
    expect(await judge.ask(question(), NEVER)).toMatchObject({
      status: "unanswered",
      reason: `${client} ended with code 3 and no answer: Not logged in`,
    });
  });

  it("says that it hangs", async () => {
    const { judge } = bench(client, [{ hangs: true }], { timeoutMs: 300 });
    expect(await judge.ask(question(), NEVER)).toMatchObject({
      status: "unanswered",
      reason: `${client} gave no answer within 0.3 s`,
    });
  });

  it("says that it is not there", async () => {
    const { judge } = bench(client, [], { program: "/nowhere/at/all" });
    const answer = await judge.ask(question(), NEVER);
    expect(answer.status === "unanswered" && answer.reason).toMatch(/could not be started .*ENOENT/);
  });
});

/** A plain stand-in for the supervisor that the command line passes in. */
const runProgram: RunProgram = (call, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const cwd = mkdtempSync(join(tmpdir(), "cli-judge-empty-"));
    const child = spawn(call.program, call.args, { cwd, env: call.env });
    const out: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, call.timeoutMs);
    child.stdout.on("data", (chunk) => (out.stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (out.stderr += String(chunk)));
    child.stdin.on("error", () => {});
    child.once("error", (error) =>
      resolve({ ...out, ending: { kind: "not-started", reason: error.message } }),
    );
    child.once("close", (code) => {
      clearTimeout(timer);
      rmSync(cwd, { recursive: true, force: true });
      resolve({ ...out, ending: late ? { kind: "timed-out" } : { kind: "exited", code } });
    });
    child.stdin.end(call.stdin);
  });
