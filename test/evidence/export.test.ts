import { existsSync } from "node:fs";
import { chmod, readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { schemaProblems } from "../../src/lib/shape/schema-problems.ts";
import { exportIteration } from "../../src/operations/export.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, json } from "../support/greeters.ts";
import { machineIn } from "../support/machine.ts";
import type { TempTree } from "../support/temp-tree.ts";
import { ATIF, OTLP, PLUGIN_EVAL } from "./export-schemas.ts";

// Each test runs a benchmark.
vi.setConfig({ testTimeout: 120_000 });

const SECRET = "swordfish-and-chips-9876";
const REPLIES = [
  {
    when: { skill: true },
    steps: [{ skill: "greeter" }, { bash: `echo the key is ${SECRET}` }, { text: "Hello" }],
  },
  { steps: [{ text: "Bye" }] },
];

async function benched(): Promise<TempTree> {
  const project = await greeters(2, REPLIES);
  // Nobody has told this run that it is a secret, so only the export can mask it.
  await assay([...BENCH, "--runs", "2"], { cwd: project.root });
  return project;
}

describe("assay export", () => {
  it("writes a valid ATIF trajectory per run: prompt, calls with their results, and how it was graded", async () => {
    await using project = await benched();
    const made = await assay(["export", "greeter", "--format", "atif", "--out", "atif"], {
      cwd: project.root,
    });
    expect(made).toMatchObject({ exitCode: 0, err: "" });
    const names = (await readdir(project.path("atif"))).sort();
    expect(names).toHaveLength(8);
    const read = await Promise.all(names.map((name) => json<Trajectory>(project.path(`atif/${name}`))));
    expect(read.flatMap((one) => schemaProblems(ATIF, one))).toEqual([]);
    const run = await json<Trajectory>(project.path("atif/1~with_skill~run-1.json"));
    expect(run.steps.map(({ step_id }) => step_id)).toEqual(run.steps.map((_, at) => at + 1));
    expect(run.steps[0]).toMatchObject({ source: "user", message: "Greet number 1." });
    const call = run.steps
      .flatMap(({ tool_calls }) => tool_calls ?? [])
      .find(({ function_name }) => /bash/i.test(function_name));
    const results = run.steps.flatMap(({ observation }) => observation?.results ?? []);
    expect(results.find(({ source_call_id }) => source_call_id === call?.tool_call_id)?.content).toContain(
      "the key is",
    );
    expect(run.steps.at(-1)).toMatchObject({ source: "agent", message: "Hello" });
    expect(run.extra.assay).toMatchObject({ suite: "greeter", variant: "with_skill", outcome: "completed" });
    expect(Object.values(run.extra.assay.checks)).toEqual([true]);
  });

  it("writes what readers of claude plugin eval expect, with both arms and the difference", async () => {
    await using project = await benched();
    const out = "results/aggregate-result.json";
    const made = await assay(["export", "--format", "plugin-eval", "--out", out], { cwd: project.root });
    expect(made).toMatchObject({ exitCode: 0, err: "" });
    const written = await json<unknown>(project.path(out));
    expect(schemaProblems(PLUGIN_EVAL, written)).toEqual([]);
    expect(written).toMatchObject({
      partial: false,
      suite: { ablation: "with-without" },
      aggregates: { overallScore: 1, casesPassed: 2, casesTotal: 2, meanDelta: 1 },
      cases: [
        {
          name: "1",
          aggregates: { score: 1, scoreWithout: 0, delta: 1 },
          arms: { with: [{ passed: true, error: null }, {}], without: [{ score: 0, passed: false }, {}] },
        },
        { name: "2" },
      ],
    });
  });

  it("does not make a run that broke off for other reasons into a score", async () => {
    const refused = `#!/bin/sh\necho '{"type":"failed","reason":"auth","message":"who are you?"}'\n`;
    await using project = await greeters(1, [], { "agent.sh": refused });
    await chmod(project.path("agent.sh"), 0o755);
    const agent = ["--harness", "command", "--command", project.path("agent.sh"), "--sandbox", "none"];
    await assay(["bench", "skills/greeter", "--runs", "1", ...agent], { cwd: project.root });
    await exportIteration({ format: "plugin-eval", out: "x.json" }, { machine: machineIn(project.root) });
    expect(await json<unknown>(project.path("x.json"))).toMatchObject({
      partial: true,
      partialReason: "auth_failed",
      aggregates: { overallScore: null, casesPassed: 0 },
      cases: [{ arms: { with: [] }, aggregates: {} }],
    });
  });

  it("writes GenAI spans: an agent per run, a tool per call, an event per verdict", async () => {
    await using project = await benched();
    const out = ["export", "--format", "otlp", "--out", "traces.json"];
    expect((await assay(out, { cwd: project.root })).exitCode).toBe(0);
    const written = await json<Traces>(project.path("traces.json"));
    expect(schemaProblems(OTLP, written)).toEqual([]);
    const spans = written.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const agents = spans.filter(({ name }) => name.startsWith("invoke_agent "));
    const tools = spans.filter(({ name }) => name.startsWith("execute_tool "));
    expect(agents).toHaveLength(8);
    expect(new Set(agents.map(({ traceId }) => traceId)).size).toBe(8);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(tools.length).toBeGreaterThanOrEqual(4);
    expect(tools.every(({ parentSpanId }) => agents.some(({ spanId }) => spanId === parentSpanId))).toBe(
      true,
    );
    expect(agents[0]?.attributes).toContainEqual({
      key: "gen_ai.operation.name",
      value: { stringValue: "invoke_agent" },
    });
    expect(
      agents.every(({ events }) => events?.every(({ name }) => name === "gen_ai.evaluation.result")),
    ).toBe(true);
    expect(agents.flatMap(({ events }) => events ?? [])).toHaveLength(8);
    const bytes = await readFile(project.path("traces.json"), "utf8");
    expect(bytes).not.toContain("the key is");
    await assay(out, { cwd: project.root });
    expect(await readFile(project.path("traces.json"), "utf8")).toBe(bytes);
    await assay([...out, "--content"], { cwd: project.root });
    expect(await readFile(project.path("traces.json"), "utf8")).toContain("the key is");
  });

  it("masks what the environment calls a key, wherever it is", async () => {
    await using project = await benched();
    const env = { MY_API_KEY: SECRET };
    const outs = [
      ["atif", "masked"],
      ["plugin-eval", "masked/p.json"],
      ["otlp", "masked/o.json"],
    ] as const;
    for (const [format, out] of outs) {
      const words = ["export", "--format", format, "--out", out, ...(format === "otlp" ? ["--content"] : [])];
      expect((await assay(words, { cwd: project.root, env })).exitCode).toBe(0);
    }
    for (const name of await readdir(project.path("masked")))
      expect(await readFile(project.path(`masked/${name}`), "utf8")).not.toContain(SECRET);
    expect(await readFile(project.path("masked/o.json"), "utf8")).toContain("the key is [masked]");
  });

  it("sends spans to a collector, and says when it does not take them", async () => {
    await using project = await benched();
    const collector = await startCollector();
    const to = (url: string) =>
      assay(["export", "--format", "otlp", "--endpoint", url], {
        cwd: project.root,
        env: { OTEL_EXPORTER_OTLP_HEADERS: "x-team=evals%20here" },
      });
    const sent = await to(collector.url);
    expect(sent).toMatchObject({ exitCode: 0, err: "" });
    expect(collector.seen[0]).toMatchObject({ path: "/v1/traces", team: "evals here" });
    expect(schemaProblems(OTLP, JSON.parse(collector.seen[0]?.body ?? "null"))).toEqual([]);
    const refused = await to(`${collector.url}/refuse`);
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.err).toContain("it answered 503");
    expect((await to("ftp://127.0.0.1")).err).toContain("export/bad-endpoint");
  });

  it("refuses what cannot be: no format, no place, an endpoint for files, nothing to export", async () => {
    await using project = await greeters(1, REPLIES);
    const run = (...words: string[]) => assay(["export", ...words], { cwd: project.root });
    expect((await run()).err).toContain("export/no-format");
    expect((await run("--format", "nothing")).err).toContain("Allowed choices are atif, plugin-eval, otlp.");
    expect((await run("--format", "atif")).err).toContain("export/nowhere");
    expect((await run("--format", "atif", "--endpoint", "http://127.0.0.1:1")).err).toContain(
      "export/no-endpoint",
    );
    const nothing = await run("--format", "atif", "--out", "x");
    expect(nothing.exitCode).toBe(2);
    expect(existsSync(project.path("x"))).toBe(false);
  });
});

interface Trajectory {
  readonly steps: readonly {
    readonly step_id: number;
    readonly tool_calls?: readonly { readonly tool_call_id: string; readonly function_name: string }[];
    readonly observation?: { readonly results: readonly { source_call_id?: string; content?: string }[] };
  }[];
  readonly extra: { readonly assay: { readonly checks: Readonly<Record<string, boolean>> } };
}

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly object[];
  readonly events?: readonly { readonly name: string }[];
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

async function startCollector() {
  const seen: { path: string; team: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    void take(request, response);
  });
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await whole(request);
    seen.push({ path: request.url ?? "", team: request.headers["x-team"], body });
    response.statusCode = request.url === "/refuse" ? 503 : 200;
    response.end("{}");
  };
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function whole(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
