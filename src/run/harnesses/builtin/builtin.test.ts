import { describe, expect, it } from "vitest";
import { simWorld } from "../../../../test/support/sim-world.ts";
import { PROVIDER_NAMES } from "../../../providers/connect.ts";
import { harnessContract } from "../../harness.contract.ts";
import { agent, play, results, sent } from "./fixtures/play.ts";

harnessContract("builtin", {
  make: (turns) => simWorld(agent("anthropic"), turns),
  lacks: ["raw stream"],
});

describe.each(PROVIDER_NAMES)("over %s", (provider) => {
  it("works through tools to an answer, and the model sees what they said", async () => {
    const { run, events, file, sim } = await play({
      provider,
      script: `replies:
        - [{text: "I look."}, {tool: bash, input: {command: "cat in.txt; echo oops >&2"}}, {tool: read, input: {path: in.txt}}]
        - [{tool: write, input: {path: out/new.txt, content: "one two"}}]
        - [{tool: edit, input: {path: out/new.txt, old: two, new: three}}]
        - "Done."`,
      files: { "in.txt": "content\n" },
    });
    expect(run).toMatchObject({ outcome: { status: "completed" }, model: "m-1", steps: 4 });
    expect(run.usage.costUsd).toBe(2);
    expect(file("out/new.txt")).toBe("one three");
    expect(results(events).map(({ output }) => output)).toEqual([
      "content\noops\n",
      "content\n",
      "out/new.txt is written.",
      "out/new.txt is changed.",
    ]);
    expect(JSON.stringify(sent(sim, 1))).toContain("oops");
    expect(sim.requests.at(-1)?.seen).toMatchObject({ turn: 1, step: 4 });
  });

  it("goes on with the same conversation from message to message", async () => {
    const { events, sim } = await play({
      provider,
      script: "replies: [One., Two.]",
      turns: ["first", "second"],
    });
    expect(events.filter(({ kind }) => kind === "message")).toHaveLength(4);
    expect(JSON.stringify(sent(sim, 1))).toMatch(/first.*One\..*second/s);
  });
});

it("tells what it does not do", async () => {
  const { run } = await play(
    { script: "replies: [Hi.]" },
    { options: { extraArgs: ["--x"], permissionMode: "plan" }, context: { mcpServers: { a: {} } } },
  );
  expect(run.notes).toHaveLength(3);
});
