import { chmodSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import { UNKNOWN_USAGE } from "../../src/domain/run.ts";
import type { ClientOptions } from "../../src/run/client.ts";
import { type BenchOptions, type BenchRun, HarnessBench } from "../../src/run/fixtures/harness-bench.ts";
import { gemini } from "../../src/run/harnesses/gemini/gemini.ts";
import { qwen } from "../../src/run/harnesses/qwen/qwen.ts";
import type { Harness } from "../../src/run/harness.ts";

/** What the real programs printed in each situation, without what differs from run to run. */
const RECORDED = new URL("agents/", import.meta.url);

const CLIENTS = { "qwen-0.15.10": qwen, "gemini-0.61.0": gemini } as const;
type Recorded = keyof typeof CLIENTS;

interface Ending {
  readonly exit?: number;
  readonly stderr?: string;
  /** It does not end by itself. */
  readonly hangs?: true;
}

/** The harness, with a program that prints what was recorded, ends as the real one did, and shows how it was called. */
async function play(
  client: Recorded,
  shape: string,
  { exit = 0, stderr = "", hangs }: Ending = {},
  options: BenchOptions = {},
): Promise<BenchRun & { readonly called: string }> {
  const bench = new HarnessBench();
  onTestFinished(() => bench[Symbol.dispose]());
  const program = `${bench.folder}/program`;
  const stream = fileURLToPath(new URL(`${client}/${shape}.jsonl`, RECORDED));
  const lines = [
    "#!/bin/sh",
    `{ env; echo; printf '%s\\n' "$@"; cat; } > ${bench.folder}/called`,
    `cat ${stream}`,
    `printf %s '${stderr}' >&2`,
    ...(hangs ? ["sleep 60"] : []),
    `exit ${exit}`,
  ];
  writeFileSync(program, `${lines.join("\n")}\n`);
  chmodSync(program, 0o755);
  const made: Harness = CLIENTS[client]({ ...FOUND, program });
  const driven = await bench.drive(made, { kind: "turns", turns: ["message 1"] }, options);
  return { ...driven, called: bench.read(`${bench.folder}/called`) };
}

const FOUND: Omit<ClientOptions, "program"> = {
  searchPath: process.env["PATH"] ?? "",
  cwd: "/",
  credentials: {},
  versionOf: async () => null,
};

describe.each(Object.keys(CLIENTS) as Recorded[])("what %s printed", (client) => {
  it("is a transcript: answers, calls with their results, the skill, the tokens", async () => {
    const { run, events } = await play(client, "works");
    expect(run.outcome).toEqual({ status: "completed" });
    const told = events.map((event) => {
      if (event.kind === "message") return `${event.role}: ${event.text}`;
      if (event.kind === "tool-call") return `call ${event.tool}`;
      if (event.kind === "tool-result") return `result of ${event.tool}${event.isError ? ", an error" : ""}`;
      return event.kind === "skill-activated" ? `skill ${event.skill} by ${event.by}` : event.kind;
    });
    const skillTool = client.startsWith("gemini") ? "activate_skill" : "skill";
    expect(told).toEqual([
      "user: message 1",
      "assistant: There is a skill for this.",
      `call ${skillTool}`,
      `result of ${skillTool}`,
      "skill hex-greeter by tool",
      "call write_file",
      "result of write_file",
      "call run_shell_command",
      "result of run_shell_command",
      "assistant: Done.",
      "usage",
    ]);
    expect(run).toMatchObject({ steps: 4, model: expect.any(String), sessionId: expect.any(String) });
    expect(run.usage).toMatchObject({ outputTokens: 57, cacheReadTokens: 3000, costUsd: null });
    expect(run.usage.inputTokens).toBeGreaterThan(1000);
  });

  it("ends as soon as the skill in question is taken up", async () => {
    const stopOnSkill = "hex-greeter";
    const { run, events } = await play(client, "works", { hangs: true }, { options: { stopOnSkill } });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(events.map(({ kind }) => kind)).not.toContain("tool-result");
  });

  it.each([
    { shape: "auth", exit: 145, status: "auth", words: "401", mayPass: false },
    { shape: "unknown-model", exit: 1, status: "api", words: "404", mayPass: false },
    { shape: "cut", exit: 0, status: "network", words: "terminated", mayPass: true },
  ])("after $shape is no answer", async ({ shape, exit, status, words, mayPass }) => {
    const { run, events } = await play(client, shape, { exit });
    expect(run.outcome).toEqual({ status, message: expect.stringContaining(words), mayPass });
    expect(run.usage).toEqual(UNKNOWN_USAGE);
    const said = events.flatMap((event) => (event.kind === "message" ? [event.text] : []));
    expect(said).toEqual(["message 1", ...(shape === "cut" ? ["Hello there this is long"] : [])]);
  });

  it("is a crash when it was killed in its work", async () => {
    const { run } = await play(client, "killed", { exit: 137 });
    expect(run.outcome).toEqual({ status: "crashed", message: expect.stringContaining("137") });
  });

  it("has the tool that it may not use as an error, and the answer as an answer", async () => {
    const { run, events } = await play(client, "denied");
    expect(run.outcome).toEqual({ status: "completed" });
    expect(events.filter(({ kind }) => kind === "tool-result")).toMatchObject([
      { isError: true, denied: client.startsWith("qwen") },
    ]);
  });

  it("is asked for through the gateway alone, without a question to anybody", async () => {
    const endpoint = { baseUrl: "http://127.0.0.1:9/t", token: "a-token" };
    const mcpServers: { probe: Json } = { probe: { command: "probe" } };
    const { called } = await play(
      client,
      "works",
      {},
      { context: { endpoint, mcpServers }, options: { model: "m-1", extraArgs: ["--extra"] } },
    );
    expect(called).toMatch(/(?:OPENAI|GEMINI)_API_KEY=a-token\n/);
    expect(called).toContain("BASE_URL=http://127.0.0.1:9/t");
    expect(called).toContain("--approval-mode=yolo\n--model=m-1\n");
    expect(called).toMatch(/--extra\nmessage 1$/);
  });
});

describe("Qwen Code", () => {
  it("calls an unreachable service a success, which it is not", async () => {
    const { run } = await play("qwen-0.15.10", "network");
    const message = "Connection error. (cause: fetch failed)";
    expect(run.outcome).toEqual({ status: "network", message, mayPass: true });
  });

  it("says on standard error that it reached its turn limit", async () => {
    const stderr = "Reached max session turns for this session.";
    const { run, called } = await play(
      "qwen-0.15.10",
      "turn-limit",
      { exit: 53, stderr },
      { options: { maxTurns: 1 } },
    );
    expect(run.outcome).toEqual({ status: "max-turns", message: expect.stringContaining(stderr) });
    expect(called).toContain("--max-session-turns=1\n");
  });
});

describe("Gemini CLI", () => {
  it("says what it has nothing for", async () => {
    const { run } = await play("gemini-0.61.0", "works", {}, { options: { maxTurns: 3 } });
    expect(run.notes).toEqual(["gemini has no turn limit, so yours was not applied"]);
  });
});
