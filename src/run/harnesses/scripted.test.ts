import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Json } from "../../domain/json.ts";
import { HarnessBench } from "../fixtures/harness-bench.ts";
import type { Harness } from "../harness.ts";
import { type Act, harnessContract } from "../harness.contract.ts";
import { scriptedHarness } from "./scripted.ts";

harnessContract("scripted", {
  make: async (turns) => {
    const harness = scripted({
      replies: turns.map((acts, index) => ({ when: { turn: index + 1 }, steps: acts.flatMap(stepsOf) })),
    });
    return { harness, endpoint: null, [Symbol.asyncDispose]: async () => {} };
  },
});

describe("the scripted agent", () => {
  it("chooses the first reply that fits turn, prompt and skill", async () => {
    const script = {
      replies: [
        { when: { skill: true, prompt: "greet" }, steps: [{ text: "with" }] },
        { when: { prompt: "greet" }, steps: [{ text: "without" }] },
        { steps: [{ text: "else" }] },
      ],
    };
    expect(await answer(script, "please greet", "hex-greeter")).toEqual(["with"]);
    expect(await answer(script, "please greet")).toEqual(["without"]);
    expect(await answer(script, "hi", "hex-greeter")).toEqual(["else"]);
  });

  it("offers the skills that lie in the workspace", async () => {
    const { run } = await play({ replies: [{ steps: [{ text: "x" }] }] }, "hi", "hex-greeter");
    expect(run.skillsOffered).toEqual(["hex-greeter"]);
    expect((await play({ replies: [{ steps: [{ text: "x" }] }] }, "hi")).run.skillsOffered).toEqual([]);
  });

  it("crashes on a turn that it has no reply to, and on a step that it does not know", async () => {
    const silent = await play({ replies: [{ when: { turn: 2 }, steps: [] }] }, "hello");
    expect(silent.run.outcome).toEqual({
      status: "crashed",
      message: "the script has no reply to turn 1: hello",
    });
    const odd = await play({ replies: [{ steps: [{ dance: true }] }] }, "hello");
    expect(odd.run.outcome).toEqual({ status: "crashed", message: expect.stringContaining("dance") });
  });

  it("plays thinking, denials and raw bytes", async () => {
    const { events } = await play(
      {
        replies: [
          {
            steps: [
              { thinking: "hm" },
              {
                tool: { name: "Bash", input: { command: "rm" }, output: "no", is_error: true, denied: true },
              },
              { raw: "plain\n\nwords\n" },
              { read: "missing.txt" },
            ],
          },
        ],
      },
      "hi",
    );
    expect(events.slice(1)).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "tool-call", tool: "Bash" },
      { kind: "tool-result", tool: "Bash", denied: true, isError: true },
      { kind: "message", text: "plain\n\nwords" },
      { kind: "tool-call", tool: "Read" },
      { kind: "tool-result", isError: true, output: expect.stringContaining("ENOENT") },
    ]);
  });
});

function stepsOf(act: Act): readonly Json[] {
  if ("say" in act) {
    const { usage } = act;
    const told = usage && {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
    };
    return [{ text: act.say }, ...(told === undefined ? [] : [{ usage: told }])];
  }
  if ("bash" in act) return [{ bash: act.bash }];
  if ("write" in act) return [{ write: { path: act.write, content: act.content } }];
  if ("skill" in act) return [{ skill: act.skill }];
  if ("hang" in act) return [{ hang: { ignoreSignals: true } }];
  if ("die" in act) return [{ bash: "kill -9 $PPID; sleep 5" }];
  const reason = { 401: "auth", 429: "rate-limit", 500: "api" }[act.refuse];
  return [{ fail: { reason, message: `status ${act.refuse}` } }];
}

function scripted(script: Json): Harness {
  const player = fileURLToPath(new URL("../../../bin/scripted-agent.mjs", import.meta.url));
  return scriptedHarness({ player, script: JSON.stringify(script), node: process.execPath });
}

function play(script: Json, prompt: string, skill?: string) {
  const bench = new HarnessBench();
  onTestFinished(() => bench[Symbol.dispose]());
  const named = skill === undefined ? {} : { skill };
  return bench.drive(scripted(script), { kind: "turns", turns: [prompt] }, named);
}

async function answer(script: Json, prompt: string, skill?: string): Promise<readonly string[]> {
  const { events } = await play(script, prompt, skill);
  return events.flatMap((event) =>
    event.kind === "message" && event.role === "assistant" ? [event.text] : [],
  );
}
