import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TranscriptEvent } from "../../src/domain/transcript.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { type TapeOptions, openCassettes } from "../../src/gateway/cassette/cassettes.ts";
import type { Harness } from "../../src/run/harness.ts";
import { secretMask } from "../../src/lib/secret-mask.ts";
import { neutral, type TapedRun, type TapedTrial, tapedRun } from "../support/tape-kit.ts";
import { claude, codexClient, laterClaude, type PinnedClient } from "./support/clients.ts";

const clients = [await claude(), await laterClaude(), await codexClient()] as const;

const SCRIPT = `
rules:
  - when: { turn: 1 }
    steps:
      - - tool: skill
          input: { name: hex-greeter, args: Ada }
      - - tool: write
          input: { path: "{{cwd}}/a.txt", content: "0xCAFEBABE Ada" }
      - - tool: bash
          input: { command: "cat '{{cwd}}/a.txt' README.md" }
        - tool: bash
          input: { command: "sleep 0.2; mktemp; date; echo $HOME $ANTHROPIC_API_KEY $ASSAY_MODEL_TOKEN" }
      - - tool: bash
          input: { command: "cp a.txt copy.txt; test -f $TMPDIR/{{toolResult /(tmp\\\\.\\\\w+)/}} && echo found" }
      - Written to {{cwd}}/a.txt.
  - when: { turn: 2 }
    steps:
      - - tool: bash
          input: { command: "cat copy.txt; exit 3" }
      - It failed in the end.
`;

const SKILL =
  "---\nname: hex-greeter\ndescription: Greets people in hexadecimal.\n---\nBegin with 0xCAFEBABE.\n";

function filesFor({ harness }: PinnedClient, skill = SKILL): Readonly<Record<string, string>> {
  return {
    "README.md": "# A project\n",
    "CLAUDE.md": "Be kind.\n",
    "AGENTS.md": "Be kind.\n",
    [`${harness.skillsFolder}/hex-greeter/SKILL.md`]: skill,
  };
}

function trialOf(
  client: PinnedClient,
): Pick<TapedTrial, "harness" | "turns" | "files" | "header" | "options"> {
  const { harness, version } = client;
  const model = harness.name === "codex" ? "gpt-5.5" : "claude-sonnet-5";
  return {
    harness,
    turns: ["Greet Ada and write it down.", "Look at the copy."],
    files: filesFor(client),
    options: { model },
    header: { harness: harness.name, model, client: { name: harness.name, version } },
  };
}

function folderFor(): string {
  const folder = mkdtempSync(join(tmpdir(), "cassettes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function cassettes(folder: string, mode: TapeOptions["mode"], strict = false) {
  return openCassettes({ folder, mode, strict, mask: secretMask([]), now: () => new Date() });
}

async function record(
  folder: string,
  client: PinnedClient,
  changes: Partial<TapedTrial> & { script?: string } = {},
) {
  const { script = SCRIPT, ...trial } = changes;
  const sim = await startSim(parseScript(script));
  try {
    return await tapedRun({
      ...trialOf(client),
      cassettes: cassettes(folder, "record"),
      service: sim.url,
      ...trial,
    });
  } finally {
    await sim.close();
  }
}

function replay(folder: string, client: PinnedClient, changes: Partial<TapedTrial> = {}) {
  return tapedRun({
    ...trialOf(client),
    cassettes: cassettes(folder, "replay"),
    service: null,
    ...changes,
  });
}

/** The client in another time zone; these two are never on the same day. */
function inZone({ harness }: PinnedClient, zone: "Pacific/Pago_Pago" | "Pacific/Kiritimati"): Harness {
  return {
    ...harness,
    run: (request, context) => harness.run(request, { ...context, env: { ...context.env, TZ: zone } }),
  };
}

describe.each(clients)("$harness.name $version", (client) => {
  describe.skipIf(!client.installed)("recorded and replayed", () => {
    it("does the same again in another place, on another day, without any connection", async () => {
      const folder = folderFor();
      const first = await record(folder, client, { harness: inZone(client, "Pacific/Pago_Pago") });
      expect(first.run.outcome).toEqual({ status: "completed" });
      expect(first.finished.notes).toEqual([]);

      const again = await replay(folder, client, { harness: inZone(client, "Pacific/Kiritimati") });
      expect(again.finished).toMatchObject({
        outcome: { status: "completed" },
        replay: { match: "alias", drifts: 0, difference: null, recordedVersion: client.version },
        notes: [],
      });
      expect(again.connections).toBe(0);
      expect(settled(neutral(again))).toBe(settled(neutral(first)));
      expect(again.file("a.txt")).toBe("0xCAFEBABE Ada");
      expect(again.file("copy.txt")).toBe("0xCAFEBABE Ada");
      const tape = tapeIn(folder);
      expect(tape.length).toBeLessThan(30_000);
      expect(tape).not.toMatch(/assay-[0-9a-f]{32}|127\.0\.0\.1|\/harness-/);
    });

    it("misses where the skill's text has changed, and the client gives up at once", async () => {
      const folder = folderFor();
      await record(folder, client);
      const files = filesFor(client, SKILL.replace("0xCAFEBABE", "0xDEADBEEF"));
      const again = await replay(folder, client, { files });
      expect(again.finished.replay?.difference).toMatch(
        /^request 2: .* changed \(line \d+, column \d+: recorded ".*0xCAFEBABE.*", now ".*0xDEADBEEF.*"\)$/,
      );
      expect(again.finished.outcome.status).toBe("invalid");
      expect(again.traffic.exchanges).toHaveLength(2);
      expect(again.connections).toBe(0);
    });
  });
});

const [earlier, later] = [clients[0], clients[1]];

describe.skipIf(!earlier.installed || !later.installed)("Claude Code across its versions", () => {
  it.each([
    [earlier, later],
    [later, earlier],
  ])("recorded with $version", async (recorded, now) => {
    const folder = folderFor();
    const first = await record(folder, recorded);
    const again = await replay(folder, now);
    expect(again.finished).toMatchObject({
      outcome: { status: "completed" },
      replay: { match: "alias", recordedVersion: recorded.version },
    });
    expect(again.finished.notes).toContain(
      `replay: recorded with claude-code ${recorded.version}, replayed with ${now.version}`,
    );
    expect(spoken(again)).toBe(spoken(first));
    expect(again.file("copy.txt")).toBe("0xCAFEBABE Ada");
  });
});

describe.skipIf(!earlier.installed)("Claude Code with sub-agents", () => {
  const AGENT = (prompt: string): string =>
    `{ tool: Agent, input: { description: look, prompt: ${prompt}, subagent_type: general-purpose } }`;
  const script = `
rules:
  - { when: { subagent: true, userText: cats }, steps: [[{ tool: bash, input: { command: "echo about cats" } }], Cats are fine.] }
  - { when: { subagent: true }, steps: [[{ tool: bash, input: { command: "echo about dogs" } }], Dogs are fine.] }
  - { when: { subagent: false }, steps: [[${AGENT("Look at cats.")}, ${AGENT("Look at dogs.")}, ${AGENT("Look at dogs.")}], All are fine.] }
`;

  it("tells the conversations apart", async () => {
    const folder = folderFor();
    const turns = ["Look at the animals."];
    const first = await record(folder, earlier, { script, turns });
    expect(first.run.outcome).toEqual({ status: "completed" });
    expect(first.traffic.exchanges.length).toBe(8);
    const again = await replay(folder, earlier, { turns });
    expect(again.finished).toMatchObject({ outcome: { status: "completed" }, notes: [] });
    expect(again.finished.replay?.match).not.toBe("miss");
    expect(spoken(again)).toBe(spoken(first));
  });
});

function tapeIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return readFileSync(join(folder, names.find((name) => name.endsWith(".jsonl")) ?? "none"), "utf8");
}

/** What was said and called, in no order: sub-agents race. */
function spoken(run: TapedRun): string {
  const events = (JSON.parse(settled(neutral(run))) as TranscriptEvent[]).flatMap((event) => {
    if (event.kind === "message") return [`${event.role}: ${event.text}`];
    return event.kind === "tool-call" ? [`${event.tool} ${JSON.stringify(event.input)}`] : [];
  });
  return events.toSorted().join("\n");
}

/** Without what time, chance and the trial's own token decide. */
function settled(transcript: string): string {
  return transcript
    .replaceAll(/tmp\.\w+/g, "tmp.X")
    .replaceAll(/assay-[0-9a-f]{32}/g, "TOKEN")
    .replaceAll(/\w{3} \w{3} +\d+ [\d:]+ (?:[A-Z]{3,4}|[+-]\d+) \d{4}/g, "DATE");
}
