import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import { type BenchOptions, type BenchRun, HarnessBench } from "./fixtures/harness-bench.ts";
import type { Endpoint, Harness } from "./harness.ts";

/** What the agent does in answer to one user message, act by act; the last one ends its turn. */
export type Act =
  | { readonly say: string; readonly usage?: ActUsage }
  | { readonly bash: string }
  /** The path is relative to the workspace. */
  | { readonly write: string; readonly content: string }
  | { readonly skill: string }
  /** The model service refuses. */
  | { readonly refuse: 401 | 429 | 500 }
  /** Nothing more comes, ever. */
  | { readonly hang: true }
  /** The agent program is killed. */
  | { readonly die: true };

interface ActUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** A harness with a program, or a program and a model, that does what it was told. */
export interface HarnessWorld extends AsyncDisposable {
  readonly harness: Harness;
  readonly endpoint: Endpoint | null;
}

export interface HarnessContractOptions {
  /** One list of acts for each user message. */
  readonly make: (turns: readonly (readonly Act[])[]) => Promise<HarnessWorld>;
  /** Enough for the program to start and say something on a busy machine. */
  readonly startMs?: number;
  /** Default: the client's own. */
  readonly model?: string;
  /** What of an agent this harness does without; absent: nothing. Tests about it are skipped. */
  readonly lacks?: readonly Lack[];
  /** How the transcript shows what the model was told to say; absent: as it is. */
  readonly shown?: (said: string) => string;
}

/**
 * A program whose output is kept raw, tools that the model can call, a session of several messages, a word on whether a
 * command failed, a count of its own for tokens written to a cache, an end to its patience with a broken service.
 */
export type Lack = "raw stream" | "tools" | "session" | "tool errors" | "cache writes" | "giving up";

/** What every harness promises. */
export function harnessContract(name: string, options: HarnessContractOptions): void {
  const startMs = options.startMs ?? 700;
  const shown = options.shown ?? ((said: string) => said);
  const has = (part: Lack) => !options.lacks?.includes(part);
  const drive = (turns: readonly (readonly Act[])[], bench: DriveOptions = {}) =>
    driveIn(options.make, turns, { ...bench, options: { model: options.model ?? null, ...bench.options } });

  describe(`harness ${name}`, () => {
    it("describes its client", async () => {
      await using world = await options.make([[{ say: "Hello" }]]);
      const client = await world.harness.find();
      expect(client.name).not.toBe("");
      expect(client.readable.every((path) => path.startsWith("/"))).toBe(true);
      expect(world.harness.skillsFolder).toMatch(/^\.\w+\/skills$/);
    });

    it("tells question and answer, in this order", async () => {
      const { run, events } = await drive([[{ say: "Hello" }]]);
      expect(run.outcome).toEqual({ status: "completed" });
      expect(told(events)).toEqual(["1 user: message 1", `1 assistant: ${shown("Hello")}`]);
      expect(run.steps).toBeGreaterThan(0);
      expect(events.map(({ index }) => index)).toEqual(events.map((_, index) => index));
      expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    });

    it.runIf(has("tools"))("pairs each tool call with its result, and the tools really ran", async () => {
      const { run, events, bench } = await drive([
        [{ bash: "echo mark; pwd" }, { write: "out/a.txt", content: "it's\nhere" }, { say: "Done" }],
      ]);
      expect(run.outcome).toEqual({ status: "completed" });
      const calls = kinds(events, "tool-call");
      const answers = kinds(events, "tool-result");
      expect(calls).toHaveLength(2);
      expect(answers.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId));
      expect(answers.map(({ isError }) => isError)).toEqual([false, false]);
      expect(answers.every(({ index }, i) => index > (calls[i]?.index ?? Infinity))).toBe(true);
      expect(answers[0]?.output).toContain(`mark\n${bench.places.workspace}`);
      expect(bench.read(join(bench.places.workspace, "out/a.txt"))).toBe("it's\nhere");
      expect(told(events).at(-1)).toBe("1 assistant: Done");
    });

    it.runIf(has("tools"))(
      "takes a tool that fails for something the agent saw, not for the end",
      async () => {
        const { run, events } = await drive([[{ bash: "echo no; exit 3" }, { say: "It failed" }]]);
        expect(run.outcome).toEqual({ status: "completed" });
        expect(kinds(events, "tool-result").map(({ isError, denied }) => ({ isError, denied }))).toEqual([
          { isError: has("tool errors"), denied: false },
        ]);
      },
    );

    it.runIf(has("session"))("keeps one session over all messages", async () => {
      const { run, events } = await drive([
        [{ say: "One" }],
        [{ bash: "echo mark" }, { say: "Two" }],
        [{ say: "Three" }],
      ]);
      expect(run.outcome).toEqual({ status: "completed" });
      expect(told(events)).toEqual([
        "1 user: message 1",
        "1 assistant: One",
        "2 user: message 2",
        "2 assistant: Two",
        "3 user: message 3",
        "3 assistant: Three",
      ]);
      expect(kinds(events, "tool-call").map(({ turn }) => turn)).toEqual([2]);
      expect(run.sessionId).not.toBeNull();
      expect(new Set(kinds(events, "tool-call").map(({ callId }) => callId)).size).toBe(1);
    });

    const refusals = [
      [401, "auth", false],
      [429, "rate-limit", true],
      [500, "api", true],
    ] as const;
    it.each(refusals.filter(([status]) => status !== 500 || has("giving up")))(
      "tells a %i of the model service as %s, which may pass: %s",
      async (refuse, status, mayPass) => {
        const { run } = await drive([[{ refuse }], [{ say: "never" }]]);
        expect(run.outcome).toEqual({ status, message: expect.stringMatching(/./), mayPass });
      },
    );

    it.runIf(has("raw stream"))("says that the program died, and sends nothing more", async () => {
      const { run, events } = await drive([[{ bash: "echo mark" }, { die: true }], [{ say: "never" }]]);
      expect(run.outcome).toEqual({ status: "crashed", message: expect.stringMatching(/./) });
      expect(told(events)).toEqual(["1 user: message 1"]);
    });

    it.runIf(has("session"))("ends with the deadline, and keeps what was said before it", async () => {
      const deadlineMs = 3 * startMs;
      const { run, events, durationMs, survivors } = await drive(
        [[{ say: "One", usage: USAGE }], [{ hang: true }], [{ say: "never" }]],
        { deadlineMs },
      );
      expect(run.outcome).toEqual({ status: "timed-out", afterMs: expect.any(Number) });
      expect(told(events)).toEqual(["1 user: message 1", "1 assistant: One", "2 user: message 2"]);
      expect(durationMs).toBeLessThan(deadlineMs + PATIENCE_MS);
      await expect.poll(survivors, { timeout: PATIENCE_MS }).toEqual([]);
    });

    it("knows no tokens where none were told", async () => {
      const { run } = await drive([[{ hang: true }]], { deadlineMs: startMs });
      expect(run.outcome.status).toBe("timed-out");
      expect(run.usage).toEqual(UNKNOWN_USAGE);
    });

    it.runIf(has("tools"))("kills what a tool left running", async () => {
      const { run, survivors, durationMs } = await drive(
        [
          [
            { bash: "setsid sleep 47 >/dev/null 2>&1 & echo started" },
            { bash: "tail -f /dev/null" },
            { hang: true },
          ],
        ],
        { deadlineMs: 3 * startMs },
      );
      expect(run.outcome.status).toBe("timed-out");
      expect(durationMs).toBeLessThan(3 * startMs + PATIENCE_MS);
      await expect.poll(survivors, { timeout: PATIENCE_MS }).toEqual([]);
    });

    it("ends when the caller says so", async () => {
      const controller = new AbortController();
      const running = drive([[{ hang: true }]], { signal: controller.signal });
      await sleep(startMs);
      controller.abort();
      const { run, durationMs, survivors } = await running;
      expect(run.outcome).toEqual({
        status: "interrupted",
        message: expect.stringMatching(/./),
        mayPass: false,
      });
      expect(durationMs).toBeLessThan(startMs + PATIENCE_MS);
      await expect.poll(survivors, { timeout: PATIENCE_MS }).toEqual([]);
    });

    it("tells that a skill is taken up", async () => {
      const { run, events } = await drive([[{ skill: "hex-greeter" }, { say: "0xCAFE" }]], {
        skill: "hex-greeter",
      });
      expect(run.outcome).toEqual({ status: "completed" });
      expect(kinds(events, "skill-activated").map(({ skill }) => skill)).toEqual(["hex-greeter"]);
    });

    it.runIf(has("tools"))("stops the whole tree as soon as the skill in question is taken up", async () => {
      const { run, events, durationMs, survivors } = await drive(
        [[{ skill: "hex-greeter" }, { bash: "tail -f /dev/null" }, { say: "never" }], [{ say: "never" }]],
        { skill: "hex-greeter", options: { stopOnSkill: "hex-greeter" } },
      );
      expect(run.outcome).toEqual({ status: "completed" });
      expect(kinds(events, "skill-activated").map(({ skill }) => skill)).toEqual(["hex-greeter"]);
      expect(told(events)).toEqual(["1 user: message 1"]);
      expect(durationMs).toBeLessThan(3 * startMs + PATIENCE_MS);
      await expect.poll(survivors, { timeout: PATIENCE_MS }).toEqual([]);
    });

    it.runIf(has("tools"))("goes on when another skill is taken up", async () => {
      const { run, events } = await drive([[{ skill: "hex-greeter" }, { say: "0xCAFE" }]], {
        skill: "hex-greeter",
        options: { stopOnSkill: "other" },
      });
      expect(run.outcome).toEqual({ status: "completed" });
      expect(told(events).at(-1)).toBe(`1 assistant: ${shown("0xCAFE")}`);
    });

    it.runIf(has("session"))("counts the tokens of each message once", async () => {
      const { run, events } = await drive([
        [{ say: "One", usage: USAGE }],
        [{ say: "Two", usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } }],
      ]);
      expect(run.usage).toMatchObject({
        inputTokens: has("cache writes") ? 101 : 505,
        outputTokens: 22,
        cacheReadTokens: 3003,
        ...(has("cache writes") && { cacheWriteTokens: 404 }),
      });
      const perTurn = kinds(events, "usage").map(({ turn, usage }) => [turn, usage.inputTokens]);
      expect(perTurn).toEqual([
        [1, has("cache writes") ? 100 : 500],
        [2, has("cache writes") ? 1 : 5],
      ]);
    });

    it.runIf(has("raw stream"))("leaves the raw stream as it came", async () => {
      const { raw } = await drive([[{ say: "raw one" }], [{ say: "raw two" }]]);
      expect(raw.indexOf("raw one")).toBeGreaterThanOrEqual(0);
      expect(raw.indexOf("raw two")).toBeGreaterThan(raw.indexOf("raw one"));
      for (const line of raw.trimEnd().split("\n")) expect(line.startsWith("{")).toBe(true);
    });

    it.runIf(has("tools"))("lets nothing of the host's environment through", async () => {
      const canary = `canary-${Math.random().toString(36).slice(2)}`;
      process.env["ASSAY_CANARY"] = canary;
      onTestFinished(() => void delete process.env["ASSAY_CANARY"]);
      const { events, bench } = await drive([[{ bash: "env" }, { say: "Done" }]], {
        hostEnv: { ...process.env, HOME: `/home/${canary}` },
      });
      const [printed] = kinds(events, "tool-result");
      expect(printed?.output).toContain(`HOME=${bench.places.home}\n`);
      expect(JSON.stringify(events)).not.toContain(canary);
    });

    it.each([
      ["a dash", "--help -p please"],
      ["300 KB of text", `${"All work and no play. ".repeat(14_000)}message 1`],
      ["quotes, wide letters and newlines", 'it\'s "quoted" `x` $HOME\n\n  \u{1F642} ünïcode \\n'],
    ])("sends %s unharmed", async (_, text) => {
      const { run, events } = await drive([[{ say: "Read" }]], { prompts: [text] });
      expect(run.outcome).toEqual({ status: "completed" });
      expect(kinds(events, "message").map((event) => event.text)).toEqual([text, shown("Read")]);
    });

    it("does not call the program with nothing to say", async () => {
      const { run, events, raw } = await drive([[{ say: "never" }]], { prompts: ["  \n"] });
      expect(run.outcome).toEqual({
        status: "invalid",
        message: expect.stringContaining("empty"),
        mayPass: false,
      });
      expect(events).toEqual([]);
      expect(raw).toBe("");
    });
  });
}

/** How much longer than its deadline a run may take on a busy machine. */
const PATIENCE_MS = 8000;
const USAGE: ActUsage = { input: 100, output: 20, cacheRead: 3000, cacheWrite: 400 };

interface DriveOptions extends BenchOptions {
  /** Default: `message N`. */
  readonly prompts?: readonly string[];
}

async function driveIn(
  make: HarnessContractOptions["make"],
  turns: readonly (readonly Act[])[],
  options: DriveOptions,
): Promise<BenchRun & { bench: HarnessBench; survivors: () => readonly number[] }> {
  const world = await make(turns);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const bench = new HarnessBench();
  onTestFinished(() => bench[Symbol.dispose]());
  const prompts = options.prompts ?? turns.map((_, index) => `message ${index + 1}`);
  const driven = await bench.drive(
    world.harness,
    { kind: "turns", turns: prompts },
    { ...options, context: { endpoint: world.endpoint, ...options.context } },
  );
  return { ...driven, bench, survivors: () => bench.survivors() };
}

type Kind = TranscriptEvent["kind"];

function kinds<K extends Kind>(
  events: readonly TranscriptEvent[],
  kind: K,
): readonly Extract<TranscriptEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<TranscriptEvent, { kind: K }> => event.kind === kind);
}

function told(events: readonly TranscriptEvent[]): readonly string[] {
  return kinds(events, "message").map(({ turn, role, text }) => `${turn} ${role}: ${text}`);
}
