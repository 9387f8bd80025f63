import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillOffered } from "../../../src/gateway/sim/request-log.ts";
import type { Lack } from "../../../src/run/harness.contract.ts";
import type { Harness } from "../../../src/run/harness.ts";
import {
  ofKind,
  playTrial,
  REAL_KEY,
  running,
  sent,
  SKILL,
  SKILL_MARK,
  type TrialSetup,
} from "./trial-kit.ts";

/** How a client differs from those that do everything. */
export interface Traits {
  readonly lacks?: readonly Lack[];
  /** Skills of its own, which it offers in every arm. */
  readonly bundled?: readonly string[];
  /** It ends what a command leaves running, by itself. */
  readonly endsDaemons?: boolean;
  /** It has a long conversation summed up as soon as it goes on. */
  readonly compacts?: boolean;
  /** It shortens what tools print before it tells it. */
  readonly cutsOutput?: boolean;
  /** Default: any. */
  readonly model?: string;
  /** Enough for it to start on a busy machine and do a few steps. */
  readonly deadlineSeconds?: number;
}

/** What a trial with any real agent program must show. Quirks of one program are in its own file. */
export function trialSuite(harness: Harness, traits: Traits = {}): void {
  const play = (setup: Omit<TrialSetup, "harness">) => playTrial({ harness, ...setup });

  const seconds = traits.deadlineSeconds ?? 8;

  describe(`a trial with ${harness.name}`, () => {
    it("answers plainly", async () => {
      const { run, output, sim, sandbox } = await play({ acts: [[{ say: "Hello, Ada." }]] });
      expect(run).toMatchObject({ outcome: { status: "completed" }, steps: 1, changes: [], toolErrors: 0 });
      expect(output).toBe("Hello, Ada.");
      expect(run.client.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(run.conditions.sandbox).toBe(sandbox);
      expect(run.notes).toEqual([]);
      expect(sim.unmatched).toEqual([]);
    });

    it("writes files and runs commands in its workspace", async () => {
      const { run, captured, events } = await play({
        acts: [
          [
            { write: "out/a.txt", content: "made" },
            { bash: "cat README.md out/a.txt; echo more >> README.md" },
            { say: "Done" },
          ],
        ],
      });
      expect(run.changes.map(({ path, change }) => `${change} ${path}`).toSorted()).toEqual([
        "created out/a.txt",
        "modified README.md",
      ]);
      expect(captured("out/a.txt")).toBe("made");
      expect(ofKind(events, "tool-result")[1]?.output).toContain("# A project\nmade");
      expect(Object.values(run.toolCalls).reduce((sum, count) => sum + count, 0)).toBe(2);
    });

    it("is offered the skill, and takes it up", async () => {
      const traces = await play({ acts: [[{ skill: SKILL }, { say: "0xCAFE" }]] });
      expect(skillOffered(traces.sim.requests, SKILL)).toBe(true);
      expect(traces.run.outcome).toEqual({ status: "completed" });
      expect(traces.run.activations.map(({ skill }) => skill)).toEqual([SKILL]);
      expect(traces.run.validity).toEqual({ status: "verified" });
      expect(sent(traces)).toContain(SKILL_MARK);
    });

    it("sees nothing of the skill in the arm without it", async () => {
      const traces = await play({
        acts: [
          [{ bash: "grep -rs 0xCAFEBABE / --include=*.md; ls -a . .claude .agents" }, { say: "No idea" }],
        ],
        variant: "without_skill",
      });
      expect(skillOffered(traces.sim.requests, SKILL)).toBe(false);
      expect(traces.run.outcome).toEqual({ status: "completed" });
      expect(traces.run).toMatchObject({
        validity: { status: "verified" },
        skillsOffered: traits.bundled ?? [],
      });
      expect(traces.run.activations).toEqual([]);
      expect(sent(traces).replaceAll("grep -rs 0xCAFEBABE", "")).not.toContain(SKILL_MARK);
      expect(sent(traces)).not.toContain("Greets people");
    });

    it("is given the skill by name and arguments", async () => {
      const traces = await play({
        acts: [[{ say: "0xCAFEBABE Ada" }]],
        case: { format: "clauditor", prompt: { kind: "invocation", args: "Ada Lovelace" } },
      });
      expect(traces.run.outcome).toEqual({ status: "completed" });
      expect(traces.run.activations).toMatchObject([{ skill: SKILL, by: "invocation" }]);
      expect(traces.run.validity.status).not.toBe("invalid");
      expect(sent(traces)).toContain(SKILL_MARK);
      expect(sent(traces)).toContain("Ada Lovelace");
    });

    it("is given the bare arguments in the arm without it", async () => {
      const traces = await play({
        acts: [[{ say: "Hello" }]],
        case: { format: "clauditor", prompt: { kind: "invocation", args: "Ada Lovelace" } },
        variant: "without_skill",
      });
      expect(traces.run.outcome).toEqual({ status: "completed" });
      expect(traces.sim.requests.find(({ seen }) => seen !== null)?.seen?.userText).toBe("Ada Lovelace");
      expect(sent(traces)).not.toContain(SKILL_MARK);
    });

    it("remembers over several messages", async () => {
      const { run, output, sim } = await play({
        acts: [[{ say: "One" }], [{ bash: "echo two" }, { say: "Two" }], [{ say: "Three" }]],
      });
      expect(run.outcome).toEqual({ status: "completed" });
      expect(output).toBe("One\nTwo\nThree");
      const seen = sim.requests.flatMap((request) => (request.seen === null ? [] : [request.seen]));
      expect(seen.map(({ turn, step }) => `${turn}.${step}`)).toEqual(["1.1", "2.1", "2.2", "3.1"]);
      expect(run.steps).toBe(4);
    });

    it("is timed out when the service goes silent in the middle of an answer", async () => {
      const { run, output, traffic } = await play({
        acts: [[{ bash: "echo made > a.txt" }, { hang: true }]],
        deadlineSeconds: seconds,
      });
      expect(run.outcome.status).toBe("timed-out");
      expect(run.durationMs).toBeGreaterThanOrEqual(seconds * 1000);
      expect(run.durationMs).toBeLessThan((seconds + 8) * 1000);
      expect(run.changes).toMatchObject([{ path: "a.txt" }]);
      expect(output).toBe("");
      expect(traffic.exchanges.at(-1)).toMatchObject({ status: 200, end: "client-left" });
    });

    it("leaves no process behind when it is timed out", async () => {
      const mark = `mark-${harness.name}`;
      const daemon = `setsid nohup bash -c 'exec -a ${mark} tail -f /dev/null' >/dev/null 2>&1 & echo on`;
      const count = `for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done 2>/dev/null | grep -c '^[m]ark-'`;
      const { run, events } = await play({
        acts: [[{ bash: daemon }, { bash: count }, { hang: true }]],
        deadlineSeconds: seconds,
      });
      expect(ofKind(events, "tool-result")[1]?.output.trim()).toBe(traits.endsDaemons ? "0" : "1");
      expect(run.outcome.status).toBe("timed-out");
      expect(running(mark)).toEqual([]);
    });

    it("stops when it is interrupted", async () => {
      const controller = new AbortController();
      const running = play({ acts: [[{ hang: true }]], signal: controller.signal });
      await sleep(3000);
      controller.abort();
      const { run } = await running;
      expect(run.outcome.status).toBe("interrupted");
      expect(run.durationMs).toBeLessThan(12_000);
    });

    it("reads a large prompt whole, and one that begins with a dash", async () => {
      const large = `${"All work and no play. ".repeat(14_000)}The end.`;
      const traces = await play({
        acts: [[{ say: "Read" }], [{ say: "Read" }]],
        case: { prompt: { kind: "turns", turns: ["--help", large] } },
      });
      expect(traces.run.outcome).toEqual({ status: "completed" });
      const seen = traces.sim.requests.flatMap((request) =>
        request.seen === null ? [] : [request.seen.userText],
      );
      expect(seen[0]).toBe("--help");
      expect(sent(traces)).toContain(large.slice(-2000));
    });

    it("shows a skill that prints its environment its own token, and nothing of the host's", async () => {
      const canary = "canary-3f9a1c";
      process.env["AWS_SECRET_ACCESS_KEY"] = canary;
      onTestFinished(() => void delete process.env["AWS_SECRET_ACCESS_KEY"]);
      const look = "env; echo; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; echo end";
      const traces = await play({
        acts: [[{ bash: look }, { say: "Done" }]],
        hostEnv: { ANTHROPIC_API_KEY: REAL_KEY, OPENAI_API_KEY: REAL_KEY, NODE_OPTIONS: `--title=${canary}` },
      });
      const [printed] = ofKind(traces.events, "tool-result");
      expect(printed?.output).toContain("TZ=UTC");
      expect(printed?.output).toContain(traits.cutsOutput ? "" : "end");
      expect(printed?.output).toContain(traces.token);
      expect(traces.raw + sent(traces)).not.toContain(canary);
      expect(traces.raw + sent(traces)).not.toContain(REAL_KEY);
    });

    it("connects no MCP server of the project's", async () => {
      const traces = await play({
        acts: [[{ say: "Hello" }]],
        project: {
          ".mcp.json": JSON.stringify({ mcpServers: { probe: { command: "node", args: ["probe.mjs"] } } }),
          "probe.mjs": MCP_SERVER,
        },
      });
      expect(traces.run.outcome).toEqual({ status: "completed" });
      expect(sent(traces)).not.toContain("probe_tool");
      expect(traces.run.changes).toEqual([]);
    });

    it("connects the MCP servers that it is given", async () => {
      const traces = await play({
        acts: [[{ say: "Hello" }]],
        project: { "probe.mjs": MCP_SERVER },
        request: {
          mcpServers: { probe: { command: process.execPath, args: ["probe.mjs"], env: { PROBE: "it's" } } },
        },
      });
      expect(traces.run.outcome).toEqual({ status: "completed" });
      expect(traces.captured("probe-was-asked")).toBe("it's");
    });

    it("runs without a sandbox, too", async () => {
      const { run, captured } = await play({
        acts: [[{ skill: SKILL }, { write: "a.txt", content: "made" }, { say: "Done" }]],
        sandbox: "none",
      });
      expect(run).toMatchObject({ outcome: { status: "completed" }, conditions: { sandbox: "none" } });
      expect(run.activations).toMatchObject([{ skill: SKILL }]);
      expect(captured("a.txt")).toBe("made");
    });
  });
}

/** A server that leaves a trace when it is asked for its one tool. */
const MCP_SERVER = `import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === "tools/list") writeFileSync("probe-was-asked", process.env.PROBE ?? "");
  const answers = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "probe", version: "1" } },
    "tools/list": { tools: [{ name: "probe_tool", description: "Probes.", inputSchema: { type: "object", properties: {} } }] },
  };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? {} }) + "\\n");
}
`;
