import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { simWorld } from "../../../../test/support/sim-world.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { TranscriptEvent } from "../../../domain/transcript.ts";
import { listedSkills } from "../../../wires/skill-listing.ts";
import { parseScript } from "../../../gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../../gateway/sim/server.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "../../../providers/connect.ts";
import { type BenchOptions, HarnessBench } from "../../fixtures/harness-bench.ts";
import type { Harness } from "../../harness.ts";
import { harnessContract } from "../../harness.contract.ts";
import { bwrap } from "../../sandboxes/bwrap.ts";
import { builtin } from "./builtin.ts";

function agent(name: ProviderName): Harness {
  return builtin({
    model: "m-1",
    connect: (endpoint) =>
      connect(name, {
        baseUrl: endpoint?.baseUrl ?? null,
        key: endpoint?.token ?? null,
        priceOf: () => 0.5,
        patience: { sleep: async () => {} },
      }),
  });
}

harnessContract("builtin", {
  make: (turns) => simWorld(agent("anthropic"), turns),
  lacks: ["raw stream"],
});

interface Played {
  readonly script: string;
  readonly turns?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly provider?: ProviderName;
}

async function play(
  { script, turns = ["Do it."], files = {}, provider = "anthropic" }: Played,
  options: BenchOptions = {},
) {
  const sim = await startSim(parseScript(script));
  onTestFinished(() => sim.close());
  const bench = new HarnessBench();
  onTestFinished(() => bench[Symbol.dispose]());
  for (const [path, content] of Object.entries(files)) {
    const file = join(bench.places.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const endpoint = { baseUrl: sim.url, token: "t" };
  const context = { endpoint, ...options.context };
  const { run, events } = await bench.drive(
    agent(provider),
    { kind: "turns", turns },
    { ...options, context },
  );
  return {
    run,
    events,
    sim,
    bench,
    file: (path: string) => readFileSync(join(bench.places.workspace, path), "utf8"),
  };
}

function results(events: readonly TranscriptEvent[]) {
  return events.filter((event) => event.kind === "tool-result");
}

function sent(sim: Sim, index: number): JsonObject {
  return sim.requests[index]?.body as JsonObject;
}

const SKILL = "---\nname: greeter\ndescription: Greets <people> & things\n---\nSay hello to $ARGUMENTS.\n";

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

describe("skills", () => {
  const files = {
    ".claude/skills/greeter/SKILL.md": SKILL,
    ".claude/skills/greeter/data.txt": "data",
    ".claude/skills/hidden/SKILL.md":
      "---\nname: hidden\ndescription: x\ndisable-model-invocation: true\n---\nNo.",
    ".claude/skills/broken/SKILL.md": "---\nname: [\n---\nFirst line.\nMore",
    ".claude/commands/deploy.md": "Deploy it.",
  };

  it("are listed to the model, and the run says which", async () => {
    const { run, sim } = await play({ script: "replies: [Hi.]", files });
    expect(run.skillsOffered).toEqual(["broken", "greeter", "deploy"]);
    expect(listedSkills("messages", sent(sim, 0)).map(({ name }) => name)).toEqual([
      "broken",
      "greeter",
      "deploy",
    ]);
    expect(JSON.stringify(sent(sim, 0))).toContain("Greets &lt;people&gt; &amp; things");
    expect(JSON.stringify(sent(sim, 0))).toContain("First line.");
  });

  it("are loaded by the tool, with their place and arguments", async () => {
    const { events, bench } = await play({
      script: "replies: [[{tool: skill, input: {name: greeter, args: Ada}}], Hello.]",
      files,
    });
    const directory = join(bench.places.workspace, ".claude/skills/greeter");
    expect(results(events)[0]).toMatchObject({
      output: `Base directory for this skill: ${directory}\n\nSay hello to Ada.`,
      isError: false,
    });
    expect(events.filter(({ kind }) => kind === "skill-activated")).toMatchObject([
      { skill: "greeter", by: "tool" },
    ]);
  });

  it.each(["hidden", "unknown"])("that are not listed cannot be loaded: %s", async (name) => {
    const { events } = await play({
      script: `replies: [[{tool: skill, input: {name: ${name}}}], Oh.]`,
      files,
    });
    expect(results(events)[0]).toMatchObject({
      isError: true,
      output: expect.stringContaining("there are: broken"),
    });
    expect(events.some(({ kind }) => kind === "skill-activated")).toBe(false);
  });

  it.each([
    "{tool: read, input: {path: .claude/skills/greeter/SKILL.md}}",
    '{tool: bash, input: {command: "cat .claude/skills/greeter/SKILL.md"}}',
  ])("count as taken up when they are read: %s", async (call) => {
    const { events } = await play({ script: `replies: [[${call}], Hello.]`, files });
    expect(events.filter(({ kind }) => kind === "skill-activated")).toMatchObject([
      { skill: "greeter", by: "read" },
    ]);
  });

  it("without any, the tool is not offered", async () => {
    const { run, sim } = await play({ script: "replies: [Hi.]" });
    expect(run.skillsOffered).toEqual([]);
    expect(sim.requests[0]?.seen?.tools).toEqual(["Bash", "Read", "Write", "Edit", "Submit"]);
  });

  it("are invoked with their text in the message", async () => {
    const sim = await startSim(parseScript("replies: [Hello.]"));
    onTestFinished(() => sim.close());
    const bench = new HarnessBench();
    onTestFinished(() => bench[Symbol.dispose]());
    const { run, events } = await bench.drive(
      agent("anthropic"),
      { kind: "invocation", args: "Ada" },
      { skill: "greeter", context: { endpoint: { baseUrl: sim.url, token: "t" } } },
    );
    expect(run.outcome).toEqual({ status: "completed" });
    expect(events.slice(0, 2)).toMatchObject([
      { kind: "message", text: "/greeter Ada" },
      { kind: "skill-activated", skill: "greeter", by: "invocation" },
    ]);
    expect(sim.requests[0]?.seen?.userText).toMatch(
      /^Base directory for this skill: .*greeter\n\nGreet Ada in hexadecimal\.$/,
    );
  });
});

describe("a tool call", () => {
  it.each([
    ["{tool: read, input: {path: missing.txt}}", /No such file/],
    ["{tool: edit, input: {path: missing.txt, old: a, new: b}}", /No such file/],
    ["{tool: edit, input: {path: a.txt, old: zebra, new: b}}", /does not occur/],
    ["{tool: edit, input: {path: a.txt, old: a, new: b}}", /occurs 2 times/],
    ["{tool: edit, input: {path: binary, old: a, new: b}}", /not a text file/],
    ["{tool: write, input: {path: a.txt/b, content: x}}", /Not a directory|File exists/],
    ["{tool: Bash, input: {cmd: ls}}", /needs command/],
    ["{tool: Write, input: {file_path: 7}}", /needs file_path and content/],
    ["{tool: Fly, input: {}}", /no tool "Fly"/],
    ["{tool: Bash, input: [ls]}", /not a JSON object/],
    ["{tool: Submit, input: {}}", /needs answer/],
    ['{tool: Bash, input: {command: "echo out; exit 7"}}', /^out\n\(exit code 7\)$/],
    ['{tool: Bash, input: {command: "echo out; sleep 30", timeout: 1}}', /^out\n\(ended after 1 s\)$/],
  ])("that fails is told to the model: %s", async (call, message) => {
    const { run, events, bench } = await play({
      script: `replies: [[${call}], Understood.]`,
      files: { "a.txt": "a b a", binary: "\uFFFD a" },
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(results(events)[0]).toMatchObject({ isError: true, denied: false });
    expect(results(events)[0]?.output).toMatch(message);
    expect(bench.survivors()).toEqual([]);
  });

  it.each([
    ["", "x"],
    ["x", "y"],
    ["x\n", "y\n"],
    ["a\r\nx\r\n", "a\r\ny\r\n"],
    ["\n\nx\n\n\nEND\n", "\n\ny\n\n\nEND\n"],
    ["é \u{1f600} x", "é \u{1f600} y"],
  ])("edits %j exactly", async (before, after) => {
    const { events, file } = await play({
      script: "replies: [[{tool: edit, input: {path: a.txt, old: x, new: y}}], Done.]",
      files: { "a.txt": before },
    });
    expect(results(events)[0]?.isError).toBe(before === "");
    expect(file("a.txt")).toBe(before === "" ? "" : after);
  });

  it("edits every place when asked to, whatever the texts look like", async () => {
    const input = { file_path: "a.txt", old_string: "$&", new_string: "$1", replace_all: true };
    const { file } = await play({
      script: `replies: [[{tool: Edit, input: ${JSON.stringify(input)}}], Done.]`,
      files: { "a.txt": "$& and $&" },
    });
    expect(file("a.txt")).toBe("$1 and $1");
  });

  it.each([
    ["a; touch owned", "'quotes' $HOME `id`"],
    ["-rf", "--help"],
    ["sub dir/it's", "line\nline\n"],
  ])("writes to the path %j, not to a shell", async (path, content) => {
    const input = { file_path: path, content };
    const { run, file } = await play({
      script: `replies: [[{tool: Write, input: ${JSON.stringify(input)}}, {tool: Read, input: ${JSON.stringify(input)}}], Done.]`,
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(file(path)).toBe(content);
    expect(() => file("owned")).toThrow("ENOENT");
  });

  it("reads part of a file, and lists a directory", async () => {
    const { events } = await play({
      script: `replies: [[{tool: Read, input: {file_path: a.txt, offset: 2, limit: 2}}, {tool: Read, input: {file_path: .}}], Done.]`,
      files: { "a.txt": "1\n2\n3\n4\n" },
    });
    expect(results(events)[0]?.output).toBe("2\n3");
    expect(results(events)[1]?.output).toMatch(/a\.txt/);
  });

  it("says much: the model sees the ends, the transcript all of it", async () => {
    const { events, sim } = await play({
      script: `replies: [[{tool: bash, input: {command: "seq 1 20000"}}], Done.]`,
    });
    expect(results(events)[0]?.output).toMatch(/^1\n2\n[^]*\n20000\n$/);
    const shown = JSON.stringify(sent(sim, 1));
    expect(shown).toMatch(/characters left out/);
    expect(shown.length).toBeLessThan(60_000);
  });

  it("says too much, and is cut", async () => {
    const { events } = await play({
      script: `replies: [[{tool: bash, input: {command: "yes | head -c 9000000"}}], Done.]`,
    });
    expect(results(events)[0]?.output.length).toBeLessThan(5_000_000);
    expect(results(events)[0]?.output).toMatch(/the rest of the output is cut\)$/);
  });

  it("is refused when it is not allowed", async () => {
    const { run, events, sim } = await play(
      { script: `replies: [[{tool: Bash, input: {command: "touch owned"}}], Done.]` },
      { options: { allowedTools: ["Read", "Write(src/**)"] } },
    );
    expect(sim.requests[0]?.seen?.tools).toEqual(["Read", "Write", "Submit"]);
    expect(results(events)[0]).toMatchObject({ denied: true, isError: true });
    expect(run.outcome).toEqual({ status: "completed" });
  });
});

describe("a turn", () => {
  it("ends with a submitted answer, which is what the agent said", async () => {
    const { run, events, sim } = await play({
      script: `replies:
        - [{tool: Submit, input: {answer: "42"}}, {tool: bash, input: {command: touch late}}]
        - "unused"
        - "Two."`,
      turns: ["first", "second"],
    });
    expect(run.outcome).toEqual({ status: "completed" });
    const said = events.filter((event) => event.kind === "message" && event.role === "assistant");
    expect(said).toMatchObject([{ text: "42" }, { text: "Two." }]);
    expect(JSON.stringify(sent(sim, 1))).toContain("not done: the answer was given");
  });

  it("ends at the limit of model responses", async () => {
    const { run, events } = await play(
      { script: `[{reply: [{tool: bash, input: {command: "true"}}]}]` },
      { options: { maxTurns: 3 } },
    );
    expect(run).toMatchObject({ outcome: { status: "max-turns" }, steps: 3 });
    expect(results(events)).toHaveLength(3);
  });

  it("goes on after a reply that was cut off, without its half call", async () => {
    const { run, events, sim } = await play({
      script: `replies: [{parts: [{tool: bash, input: {command: "touch half"}}], stop: length}, {parts: ["Half"], stop: length}, Done.]`,
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(results(events)[0]).toMatchObject({ isError: true, output: "the call was cut off and not made" });
    expect(JSON.stringify(sent(sim, 2))).toContain("Your reply was cut off");
  });

  it("may end without a word, and the next goes on", async () => {
    const { run, sim } = await play({ script: 'replies: [{text: ""}, Two.]', turns: ["first", "second"] });
    expect(run).toMatchObject({ outcome: { status: "completed" }, steps: 2 });
    expect(JSON.stringify(sent(sim, 1))).toContain("(no words)");
  });

  it("ends with a refusal", async () => {
    const { run, events } = await play({ script: "replies: [{refusal: I will not.}]" });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(events.at(-2)).toMatchObject({ kind: "message", text: "I will not." });
  });

  it.each([
    ["{status: 402, message: no money}", "budget", false],
    ["{drop: true}", "network", true],
    ["{status: 400, message: prompt is too long}", "api", false],
  ])("ends when the service does not answer: %s", async (fault, status, mayPass) => {
    const { run, events } = await play({ script: `[{fault: ${fault}}]` });
    expect(run.outcome).toMatchObject({ status, mayPass });
    expect(events.at(-1)).toMatchObject({ kind: "error" });
  });
});

const sandbox = bwrap();
const unavailable = await sandbox.unavailable();

describe.skipIf(unavailable !== null)(`in a sandbox (${unavailable ?? "bwrap"})`, () => {
  it("keeps every tool inside", async () => {
    using bench = new HarnessBench();
    const secret = join(bench.folder, "secret.txt");
    writeFileSync(secret, "SECRET");
    const input = { file_path: secret, content: "changed", old_string: "SECRET", new_string: "changed" };
    const calls = [
      ...["Read", "Write", "Edit"].map((tool) => ({ tool, input })),
      { tool: "Bash", input: { command: `cat ${secret}; ps aux; pwd; ls .claude/skills` } },
      { tool: "Skill", input: { skill: "greeter" } },
    ];
    const sim = await startSim(parseScript(JSON.stringify({ replies: [calls, "Done."] })));
    onTestFinished(() => sim.close());
    const { run, events } = await bench.drive(
      inSandbox(agent("anthropic"), bench),
      { kind: "turns", turns: ["Do it."] },
      {
        skill: "greeter",
        context: { endpoint: { baseUrl: sim.url, token: "t" } },
        contained: sandbox.contained,
      },
    );
    expect(run).toMatchObject({ outcome: { status: "completed" }, skillsOffered: ["greeter"] });
    expect(readFileSync(secret, "utf8")).toBe("SECRET");
    const outputs = results(events).map(({ output }) => output);
    expect(outputs.join("\n")).not.toContain("SECRET");
    expect(outputs[3]).toContain("/sandbox/workspace\ngreeter");
    expect(outputs[4]).toContain("Base directory for this skill: /sandbox/workspace/.claude/skills/greeter");
  });
});

/** The same agent, its programs in bubblewrap. */
function inSandbox(harness: Harness, bench: HarnessBench): Harness {
  const { workspace, home, temp } = bench.places;
  const ground = {
    id: "builtin",
    workspace: { kind: "directory", path: workspace },
    home,
    temp,
    readable: [],
  } as const;
  return {
    ...harness,
    run: (request, context) =>
      harness.run(request, {
        ...context,
        places: sandbox.places(ground),
        start: async (command, watch) => context.start(await sandbox.wrap(command, ground), watch),
      }),
  };
}

it("tells what it does not do", async () => {
  const { run } = await play(
    { script: "replies: [Hi.]" },
    { options: { extraArgs: ["--x"], permissionMode: "plan" }, context: { mcpServers: { a: {} } } },
  );
  expect(run.notes).toHaveLength(3);
});
