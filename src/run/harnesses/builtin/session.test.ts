import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempTree } from "../../../../test/support/temp-tree.ts";
import { UserError } from "../../../domain/user-error.ts";
import { parseScript } from "../../../gateway/sim/read-script.ts";
import { startSim } from "../../../gateway/sim/server.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "../../../providers/connect.ts";
import { type BenchOptions, HarnessBench } from "../../fixtures/harness-bench.ts";
import { builtin } from "./builtin.ts";
import { sessionPath } from "./session.ts";

function agent(name: ProviderName) {
  return builtin({
    model: "m-1",
    connect: (endpoint) =>
      connect(name, { baseUrl: endpoint?.baseUrl ?? null, key: "t", patience: { sleep: async () => {} } }),
  });
}

async function play(
  script: string,
  turns: readonly string[],
  options: BenchOptions = {},
  provider: ProviderName = "anthropic",
) {
  const sim = await startSim(parseScript(script));
  onTestFinished(() => sim.close());
  const bench = new HarnessBench();
  onTestFinished(() => bench[Symbol.dispose]());
  const context = { endpoint: { baseUrl: sim.url, token: "t" } };
  const { run, events } = await bench.drive(
    agent(provider),
    { kind: "turns", turns },
    { ...options, context },
  );
  return {
    run,
    events,
    bench,
    file: sessionPath(bench.places.home),
    asked: sim.requests.map(({ body }) => JSON.stringify(body)),
  };
}

describe.each(PROVIDER_NAMES)("a session over %s", (provider) => {
  it("is taken up elsewhere with all that was said and done", async () => {
    const first = await play(
      'replies: [[{text: "I look."}, {tool: bash, input: {command: "echo seen-4711"}}], "Done, badly."]',
      ["Greet Ada."],
      {},
      provider,
    );
    const kept = join(first.bench.folder, "kept.json");
    copyFileSync(first.file, kept);
    const later = await play(
      "rules: [{ reply: I forgot her name. }]",
      ["Why?"],
      { resume: { id: "s", file: kept } },
      provider,
    );
    expect(later.run.outcome).toEqual({ status: "completed" });
    expect(later.asked).toHaveLength(1);
    expect(later.asked[0]).toMatch(/Greet Ada\..*seen-4711.*Done, badly\..*Why\?/s);
    expect(later.events.filter((event) => event.kind === "message").map(({ text }) => text)).toEqual([
      "Why?",
      "I forgot her name.",
    ]);
  });
});

describe("a session", () => {
  it("may look at files and change none", async () => {
    const first = await play("replies: [Done.]", ["Greet Ada."]);
    const { events, bench } = await play(
      `rules:
        - when: { turn: 2 }
          steps:
            - [{tool: Bash, input: {command: "touch made"}}, {tool: Write, input: {file_path: made, content: x}}, {tool: Read, input: {file_path: none.txt}}]
            - So.`,
      ["Why?"],
      { resume: { id: "s", file: first.file } },
    );
    const said = events.filter((event) => event.kind === "tool-result");
    expect(said.map(({ denied }) => denied)).toEqual([true, true, false]);
    expect(existsSync(join(bench.places.workspace, "made"))).toBe(false);
  });

  it("that was cut off in the middle of a call can be taken up, too", async () => {
    const first = await play('replies: [[{tool: bash, input: {command: "sleep 20"}}]]', ["Wait."], {
      deadlineMs: 700,
    });
    expect(first.run.outcome.status).toBe("timed-out");
    const later = await play("rules: [{ reply: I waited. }]", ["Why?"], {
      resume: { id: "s", file: first.file },
    });
    expect(later.run.outcome).toEqual({ status: "completed" });
    expect(later.asked[0]).toMatch(/sleep 20.*not done: the run was over.*Why\?/s);
  });

  it.each([
    ["its file", 'rm -f "$(dirname "$file")/session.json"; ln -s "$target" "$file"'],
    ["its folder", 'rm -r "$(dirname "$file")"; ln -s "$(dirname "$target")" "$(dirname "$file")"'],
  ])("is written nowhere else when the agent makes %s a link", async (_, link) => {
    const outside = await tempTree({ "session.json": "private" });
    onTestFinished(() => outside[Symbol.asyncDispose]());
    const command = `file=${sessionPath("$HOME")}; target=${outside.path("session.json")}; ${link}`;
    const { run } = await play(
      `replies: [[{tool: bash, input: {command: ${JSON.stringify(command)}}}], Done.]`,
      ["Greet Ada."],
    );
    expect(run.outcome).toEqual({ status: "completed" });
    expect(readFileSync(outside.path("session.json"), "utf8")).toBe("private");
  });

  it("is not there when nothing was said", async () => {
    const { run, file } = await play("replies: [Hi.]", [""]);
    expect({ id: run.sessionId, kept: existsSync(file) }).toEqual({ id: null, kept: false });
  });

  it.each(["", "{", "[]", '{"system": "x"}', '{"messages": []}'])(
    "that holds %j is none",
    async (content) => {
      const bench = new HarnessBench();
      onTestFinished(() => bench[Symbol.dispose]());
      const file = join(bench.folder, "bad.json");
      writeFileSync(file, content);
      await expect(play("replies: [Hi.]", ["Why?"], { resume: { id: "s", file } })).rejects.toThrow(
        UserError,
      );
    },
  );
});
