import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import type { TranscriptBody } from "../domain/transcript.ts";
import type { HarnessContext } from "./harness.ts";
import type { Command, Ending, Supervised } from "./process/command.ts";
import { playTurns, type TurnCall, type TurnListener } from "./turns.ts";

describe("playTurns", () => {
  it("sends each message into the session that the one before named", async () => {
    const { calls, played, emitted } = await play([
      { prompt: "a", session: "s1" },
      { prompt: "b", session: null },
      { prompt: "c", session: "s3" },
    ]);
    expect(calls).toEqual([
      { turn: 1, sessionId: null },
      { turn: 2, sessionId: "s1" },
      { turn: 3, sessionId: "s1" },
    ]);
    expect(emitted).toEqual(["1 message", "2 message", "3 message"]);
    expect(played).toMatchObject({
      outcome: { status: "completed" },
      sessionId: "s3",
      steps: 3,
      stopped: false,
    });
  });

  it("ends with the first message that does not end well", async () => {
    const { calls, played } = await play([
      { prompt: "a" },
      { prompt: "b", outcome: leftOut("auth", "no") },
      { prompt: "c" },
    ]);
    expect(calls).toHaveLength(2);
    expect(played.outcome).toEqual(leftOut("auth", "no"));
  });

  it("ends when the client was stopped, which is no failure", async () => {
    const { calls, played } = await play([{ prompt: "a", ending: { kind: "stopped" } }, { prompt: "b" }]);
    expect(calls).toHaveLength(1);
    expect(played).toMatchObject({ outcome: { status: "completed" }, stopped: true });
  });

  it.each(["", " \n\t"])("does not send %j", async (prompt) => {
    const { calls, played, emitted } = await play([{ prompt: "a" }, { prompt }]);
    expect(calls).toHaveLength(1);
    expect(emitted).toEqual(["1 message"]);
    expect(played.outcome).toEqual(
      leftOut("invalid", "there is nothing to send: the text of turn 2 is empty"),
    );
  });

  it("adds up what is known, tells it turn by turn, and says when a part is missing", async () => {
    const known = { ...UNKNOWN_USAGE, inputTokens: 5, outputTokens: 1 };
    const all = await play([
      { prompt: "a", usage: known },
      { prompt: "b", usage: known },
    ]);
    expect(all.played.usage).toEqual({ ...UNKNOWN_USAGE, inputTokens: 10, outputTokens: 2 });
    expect(all.emitted).toEqual(["1 message", "1 usage", "2 message", "2 usage"]);
    expect(all.played.notes).toEqual([]);
    const part = await play([{ prompt: "a", usage: known }, { prompt: "b" }]);
    expect(part.played.usage).toEqual(known);
    expect(part.played.notes).toEqual([expect.stringContaining("lower bound")]);
    expect((await play([{ prompt: "a" }])).played.notes).toEqual([]);
  });

  it("keeps the notes of every call", async () => {
    const { played } = await play([
      { prompt: "a", notes: ["one"] },
      { prompt: "b", notes: ["two"] },
    ]);
    expect(played.notes).toEqual(["one", "two"]);
  });
});

interface Scene {
  readonly prompt: string;
  readonly session?: string | null;
  readonly outcome?: Outcome;
  readonly ending?: Ending;
  readonly usage?: Usage;
  readonly notes?: readonly string[];
}

async function play(scenes: readonly Scene[]) {
  const calls: TurnCall[] = [];
  const emitted: string[] = [];
  const emit = (body: TranscriptBody, head: { turn?: number } = {}): number =>
    emitted.push(`${head.turn} ${body.kind}`);
  const played = await playTurns(
    {
      prompts: scenes.map(({ prompt }) => prompt),
      listen: (turn) => listener(scenes[turn - 1]),
      command: (prompt, call) => {
        calls.push(call);
        return { program: "/agent", args: [], cwd: "/", env: {}, stdin: prompt };
      },
    },
    {
      emit,
      start: async (command: Command) => supervised(scenes, command),
    } as Partial<HarnessContext> as HarnessContext,
  );
  return { calls, emitted, played };
}

function listener(scene: Scene | undefined): TurnListener {
  return {
    hear: () => undefined,
    sessionId: scene?.session ?? null,
    steps: 1,
    usage: scene?.usage ?? UNKNOWN_USAGE,
    outcome: () => scene?.outcome ?? { status: "completed" },
  };
}

function supervised(scenes: readonly Scene[], { stdin }: Command): Supervised {
  const scene = scenes.find(({ prompt }) => prompt === stdin);
  const ending = scene?.ending ?? { kind: "exited" as const, code: 0, signal: null };
  return { ending, durationMs: 1, stderrTail: "", left: [], notes: scene?.notes ?? [] };
}
