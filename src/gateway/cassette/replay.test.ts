import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HEADER, neutral, type TapedTrial, tapedRun } from "../../../test/support/tape-kit.ts";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { connect, PROVIDER_NAMES, type ProviderName } from "../../providers/connect.ts";
import type { Harness } from "../../run/harness.ts";
import { builtin } from "../../run/harnesses/builtin/builtin.ts";
import { simFor } from "../sim/test-client.ts";
import { REAL_KEY } from "../test-gateway.ts";
import { type CassetteOptions, openCassettes, REPLAY_MISS } from "./cassettes.ts";

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

function cassettesIn(folder: string, mode: CassetteOptions["mode"], options: Partial<CassetteOptions> = {}) {
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
