import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { leftOut } from "../../domain/left-out.ts";
import type { Outcome } from "../../domain/run.ts";
import { HEADER, neutral, type TapedTrial, tapedRun } from "../../../test/support/tape-kit.ts";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "../../providers/connect.ts";
import type { Harness } from "../../run/harness.ts";
import { builtin } from "../../run/harnesses/builtin/builtin.ts";
import { simFor } from "../sim/test-client.ts";
import { REAL_KEY } from "../test-gateway.ts";
import { type TapeOptions, openCassettes } from "./cassettes.ts";

function agent(name: ProviderName): Harness {
  return builtin({
    model: "m-1",
    connect: (endpoint) =>
      connect(name, {
        baseUrl: endpoint === null ? null : `${endpoint.baseUrl}${name === "anthropic" ? "" : "/v1"}`,
        key: endpoint?.token ?? null,
        priceOf: () => null,
        patience: { sleep: async () => {} },
      }),
  });
}

async function folderFor() {
  const tree = await tempTree({});
  onTestFinished(() => tree[Symbol.asyncDispose]());
  return tree.root;
}

function cassettesIn(folder: string, mode: TapeOptions["mode"], options: Partial<TapeOptions> = {}) {
  return openCassettes({
    folder,
    mode,
    mask: secretMask([REAL_KEY]),
    now: () => new Date("2026-01-15T10:30:00Z"),
    holdMs: 50,
    ...options,
  });
}

const SKILL = "---\nname: greeter\ndescription: Greets people.\n---\nSay hello to $ARGUMENTS.\n";
const FILES = { ".claude/skills/greeter/SKILL.md": SKILL, "README.md": "# A project\n\nTotal: 1500\n" };
const TURNS = ["Greet Ada, and write it down.", "What is in there?"];

const SCRIPT = `
rules:
  - when: { turn: 1 }
    steps:
      - - thinking: There is a skill for this.
        - tool: skill
          input: { name: greeter, args: Ada }
      - - tool: write
          input: { path: "{{cwd}}/out/a.txt", content: "Hello Ada, from {{cwd}}" }
        - tool: bash
          input: { command: "cat '{{cwd}}/README.md'; pwd; echo $HOME; mktemp; date +%s%N >> .clock" }
      - - tool: bash
          input: { command: "cp out/a.txt copy.txt; ls {{toolResult /(tmp\\\\.\\\\w+)/}} 2>&1 | wc -l" }
      - Done, in {{cwd}}/out/a.txt.
  - when: { turn: 2 }
    steps:
      - - tool: read
          input: { path: "{{cwd}}/out/a.txt" }
      - It says hello. {{@WS}} and "{{@KEY}}" are only words.
`.replaceAll("{{@", "\\{{@");

async function record(folder: string, parts: Partial<TapedTrial> & { provider?: ProviderName } = {}) {
  const { provider = "anthropic", ...trial } = parts;
  await using sim = await simFor(SCRIPT);
  return await tapedRun({
    harness: agent(provider),
    cassettes: cassettesIn(folder, "record"),
    service: sim.url,
    turns: TURNS,
    files: FILES,
    ...trial,
  });
}

function replay(folder: string, parts: Partial<TapedTrial> & { provider?: ProviderName } = {}) {
  const { provider = "anthropic", ...trial } = parts;
  return tapedRun({
    harness: agent(provider),
    cassettes: cassettesIn(folder, "replay"),
    service: null,
    turns: TURNS,
    files: FILES,
    ...trial,
  });
}

describe.each(PROVIDER_NAMES)("a conversation over %s", (provider) => {
  it("is the same again in another place, without a service, a key or a connection", async () => {
    const folder = await folderFor();
    const first = await record(folder, { provider });
    expect(first.run.outcome).toEqual({ status: "completed" });
    expect(first.finished).toMatchObject({ replay: null, notes: [], again: false });
    expect(first.traffic.exchanges).toHaveLength(6);

    const again = await replay(folder, { provider });
    expect(again.finished.replay).toMatchObject({ match: "alias", drifts: 0, difference: null });
    expect(again.finished).toMatchObject({ outcome: { status: "completed" }, notes: [], again: false });
    expect(again.workspace).not.toBe(first.workspace);
    expect(withoutNames(neutral(again))).toBe(withoutNames(neutral(first)));
    expect(again.file("out/a.txt")).toBe(`Hello Ada, from ${again.workspace}`);
    expect(again.file("copy.txt")).toBe(again.file("out/a.txt"));
    expect(again.traffic).toMatchObject({ replayed: 6, usage: first.traffic.usage });
    expect(again.connections).toBe(0);
  });
});

function withoutNames(text: string): string {
  return text.replaceAll(/tmp\.\w+/g, "tmp.X");
}

describe("a cassette", () => {
  it("is small, readable, and holds neither places nor keys", async () => {
    const folder = await folderFor();
    const first = await record(folder);
    const [name = "", ...more] = filesIn(folder);
    expect([name, ...more]).toEqual(["demo/1.with_skill.builtin.m-1.run-1.jsonl"]);
    const text = readFileSync(join(folder, name), "utf8");
    expect(text.length).toBeLessThan(12_000);
    expect(text).not.toContain(first.workspace);
    expect(text).not.toMatch(/harness-|127\.0\.0\.1|assay-[0-9a-f]{32}/);
    expect(text).not.toContain(REAL_KEY);
    expect(text).toContain("Done, in {{@WS}}/out/a.txt.");
    expect(text).toContain('{{@@}}WS}} and \\"{{@@}}KEY}}\\" are only words');
  });

  it("that somebody broke is told, with what to do", async () => {
    const folder = await folderFor();
    await record(folder);
    writeFileSync(join(folder, "demo/1.with_skill.builtin.m-1.run-1.jsonl"), "<<<<<<< HEAD\n");
    await expect(cassettesIn(folder, "replay").trial(HEADER)).rejects.toMatchObject({
      message: expect.stringContaining("is not a cassette"),
      hint: expect.stringContaining("--record"),
    });
  });

  it.each<Outcome>([
    leftOut("api", "500"),
    leftOut("interrupted", "stopped"),
    { status: "timed-out", afterMs: 5 },
  ])("is not written after a run without a result: %j", async (outcome) => {
    const folder = await folderFor();
    const { finished } = await record(folder, { outcome });
    expect(filesIn(folder)).toEqual([]);
    expect(finished).toMatchObject({ outcome, notes: ["nothing was recorded: the run had no result"] });
  });

  it("keeps only the good answers when the service stumbles", async () => {
    const folder = await folderFor();
    const faults = ["{ status: 500 }", "{ drop: true }", "{ status: 529 }"];
    const rules = faults.map((fault) => `{ fault: ${fault}, times: 1 }`).join(", ");
    await using sim = await simFor(`rules: [${rules}]\nreplies: [Fine.]`);
    const first = await tapedRun({
      harness: agent("anthropic"),
      cassettes: cassettesIn(folder, "record"),
      service: sim.url,
      turns: ["Go."],
    });
    expect(first.run.outcome).toEqual({ status: "completed" });
    expect(sim.requests.length).toBeGreaterThan(3);
    const again = await replay(folder, { turns: ["Go."], files: {} });
    expect(again.finished.replay).toMatchObject({ match: "exact" });
    expect(again.traffic.exchanges).toHaveLength(1);
    expect(neutral(again)).toBe(neutral(first));
  });
});

describe("a replay", () => {
  it("does not start the client when an input has changed, and names it", async () => {
    const folder = await folderFor();
    await record(folder);
    const changed = { ...HEADER, inputs: { ...HEADER.inputs, skill: "s2" } };
    const taped = await cassettesIn(folder, "replay").trial(changed);
    expect(taped.refusal).toBe("replay miss: changed since it was recorded: skill");
    expect(await taped.finish({ status: "completed" })).toMatchObject({
      outcome: { status: "invalid", message: taped.refusal },
      replay: { match: "miss", recordedAt: "2026-01-15T10:30:00.000Z" },
      again: false,
    });
    const unknown = await cassettesIn(folder, "replay").trial({ ...HEADER, repetition: 2 });
    expect(unknown.refusal).toMatch(/^replay miss: nothing was recorded for it \(.*run-2\.jsonl\)$/);
  });

  it.each<[string, Partial<TapedTrial>, RegExp]>([
    [
      "the prompt",
      { turns: ["Greet Bob, and write it down."] },
      /request 1: message 1 changed \(line 1, column 7: recorded "Greet Ada, .*", now "Greet Bob/,
    ],
    [
      "the skill's body",
      { files: { ...FILES, ".claude/skills/greeter/SKILL.md": SKILL.replace("hello", "howdy") } },
      /request 2: result 1 of Skill changed \(line \d+, column \d+: recorded .*hello.*, now .*howdy/,
    ],
    [
      "the skill's description",
      { files: { ...FILES, ".claude/skills/greeter/SKILL.md": SKILL.replace("people", "cats") } },
      /request 1: the skill greeter in the listing changed/,
    ],
    [
      "a skill that is gone",
      { files: { "README.md": "" } },
      /request 1: the skill greeter in the listing was there/,
    ],
  ])("misses when %s is another, and the client is told why", async (_, changes, difference) => {
    const folder = await folderFor();
    await record(folder);
    const again = await replay(folder, changes);
    expect(again.finished.outcome).toEqual({
      status: "invalid",
      message: expect.stringMatching(new RegExp(`^replay miss: ${difference.source}`)),
      mayPass: false,
    });
    expect(again.finished.replay).toMatchObject({
      match: "miss",
      difference: expect.stringMatching(difference),
    });
    expect(JSON.stringify(again.events)).toContain("replay miss at request");
    expect(again.connections).toBe(0);
  });

  const DRIFTED = { ...FILES, "README.md": "# A project\n\nTotal: 1700\n" };

  it("goes on when a file has other content, counts it, and says where", async () => {
    const folder = await folderFor();
    await record(folder);
    const again = await replay(folder, { files: DRIFTED });
    expect(again.finished.outcome).toEqual({ status: "completed" });
    expect(again.finished.replay).toMatchObject({
      match: "drift",
      drifts: 1,
      difference: expect.stringMatching(
        /^request 3: result 3 of Bash changed \(line 3, column 9: recorded "Total: 1500", now "Total: 1700"\)$/,
      ),
    });
  });

  it("does not go on when it is to be strict", async () => {
    const folder = await folderFor();
    await record(folder);
    const again = await replay(folder, {
      files: DRIFTED,
      cassettes: cassettesIn(folder, "replay", { strict: true }),
    });
    expect(again.finished.replay).toMatchObject({ match: "miss", drifts: 0 });
    expect(again.finished.outcome).toMatchObject({ status: "invalid" });
  });

  it("misses when the client asks for more than was recorded, and notes what it never asked for", async () => {
    const folder = await folderFor();
    await record(folder, { turns: TURNS.slice(0, 1) });
    const more = await replay(folder);
    expect(more.finished.replay?.difference).toMatch(/^request 5: no request was recorded after 4 responses/);

    await record(folder);
    const less = await replay(folder, { turns: TURNS.slice(0, 1) });
    expect(less.finished).toMatchObject({
      outcome: { status: "completed" },
      notes: ["replay: 2 recorded answers were never asked for"],
    });
  });

  it("waits with a request past the end, in case the client is about to be stopped there", async () => {
    const folder = await folderFor();
    await record(folder, { turns: TURNS.slice(0, 1) });
    const cassettes = cassettesIn(folder, "replay", { holdMs: 60_000 });
    const ended = replay(folder, { cassettes, signal: AbortSignal.timeout(1500) });
    expect((await ended).finished.replay).toMatchObject({ match: "alias", difference: null });
  });

  it("tells that another version of the client was recorded", async () => {
    const folder = await folderFor();
    const version = (name: string) => ({ header: { client: { name: "builtin", version: name } } });
    await record(folder, version("1.0.0"));
    const again = await replay(folder, version("1.1.0"));
    expect(again.finished.notes).toEqual(["replay: recorded with builtin 1.0.0, replayed with 1.1.0"]);
    expect(again.finished.replay).toMatchObject({ match: "alias", recordedVersion: "1.0.0" });
  });
});

describe("auto", () => {
  it("replays what fits, and records the whole run anew when it does not", async () => {
    const folder = await folderFor();
    await using sim = await simFor(SCRIPT);
    const cassettes = cassettesIn(folder, "auto");
    const attempt = (turns = TURNS) =>
      tapedRun({ harness: agent("anthropic"), cassettes, service: sim.url, turns, files: FILES });

    expect((await attempt()).finished).toMatchObject({ replay: null, again: false });
    expect(sim.requests).toHaveLength(6);

    expect((await attempt()).finished).toMatchObject({ replay: { match: "alias" }, again: false });
    expect(sim.requests).toHaveLength(6);

    const other = [TURNS[0] ?? "", "And what else?"];
    const missed = await attempt(other);
    expect(missed.finished).toMatchObject({
      outcome: { status: "invalid" },
      replay: { match: "miss" },
      again: true,
    });
    expect(sim.requests).toHaveLength(6);

    expect((await attempt(other)).finished).toMatchObject({ outcome: { status: "completed" }, replay: null });
    expect(sim.requests).toHaveLength(12);

    const next = await replay(folder, { turns: other });
    expect(next.finished.replay).toMatchObject({ match: "alias" });
  });

  it("records what has changed inputs without replaying anything", async () => {
    const folder = await folderFor();
    await record(folder);
    const taped = await cassettesIn(folder, "auto").trial({ ...HEADER, inputs: { skill: "other" } });
    expect(taped.refusal).toBeNull();
    expect(Object.keys(taped.tape)).toEqual(["observe"]);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
}
