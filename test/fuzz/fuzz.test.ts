import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import { says } from "../../src/grade/fixtures/criteria-replies.ts";
import { makeSubject } from "../../src/grade/fixtures/make-subject.ts";
import { scriptedJudge } from "../../src/grade/fixtures/scripted-judge.ts";
import { gradeRun } from "../../src/grade/grade.ts";
import { criteriaGrader } from "../../src/grade/graders/criteria.ts";
import { parseDocument } from "../../src/load/document.ts";
import { formats } from "../../src/load/formats/index.ts";
import { ClaudeStream } from "../../src/run/harnesses/claude-code/stream.ts";
import { CodexStream } from "../../src/run/harnesses/codex/stream.ts";
import { keepOutput } from "../../src/run/process/output.ts";
import { Recorder } from "../../src/run/recorder.ts";
import { finished, sampleTrial } from "../../src/store/fixtures/samples.ts";
import { readJournal } from "../../src/store/journal.ts";
import { replay } from "../../src/store/state.ts";
import { chance, mutated } from "./mutate.ts";

/** In `npm test` a few hundred for each; `npm run fuzz -- --all` tries a hundred thousand of each. */
const CASES = Number(process.env["ASSAY_FUZZ_CASES"] ?? 150);
const SEED = Number(process.env["ASSAY_FUZZ_SEED"] ?? 1);
/** A reader that takes longer over a small text hangs. */
const MOST_MS = 5000;

/** Tries mutations of these texts, and says by which text and seed one went wrong. */
async function tryAll(texts: readonly string[], read: (text: string, seed: number) => Promise<void> | void) {
  for (let count = 0; count < CASES; count++) {
    const seed = SEED * 1_000_003 + count;
    const text = mutated(texts[count % texts.length] ?? "", chance(seed));
    const started = performance.now();
    try {
      await read(text, seed);
    } catch (error) {
      throw new Error(`seed ${seed}, ${JSON.stringify(text.slice(0, 2000))}`, { cause: error });
    }
    const tookMs = performance.now() - started;
    if (tookMs > MOST_MS) throw new Error(`seed ${seed} took ${Math.round(tookMs)} ms`);
  }
}

const LONG = 3_600_000;

it(
  "eval files say what is wrong with them, and nothing else happens",
  async () => {
    const all = await Promise.all(formats.map(({ open }) => open()));
    const samples = [...examplesOf("evals.json"), ...examplesOf("SKILL.eval.json"), ...examplesOf(".yaml")];
    const read = async (name: string, text: string) => {
      const document = parseDocument(join("/nowhere", name), text, () => {});
      if (document === null) return;
      for (const format of all) {
        if (format.recognise(document) === null) continue;
        const context = { report: () => {}, skill: null, projectRoot: null };
        const file = await format.load(document, context);
        if (file !== null) format.write(file);
      }
    };
    await tryAll(samples, async (text) => {
      await read("evals.json", text);
      await read("case.yaml", text);
    });
    expect(samples.length).toBeGreaterThan(2);
  },
  LONG,
);

it(
  "replies of judges never pass what their evidence does not show",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
    const check: Check = {
      id: "k",
      layer: "L3",
      text: "The report names the price of the ticket.",
      appliesTo: "every-variant",
      origin: null,
      kind: "criterion",
    };
    const events = [
      { kind: "message", role: "user", text: "What does it cost?" },
      { kind: "message", role: "assistant", text: "I could not find out, sorry." },
    ] as const;
    const subject = makeSubject({ events, output: "I could not find out, sorry.", checks: [check] }, folder);
    const evidence = [{ kind: "quote", text: "The ticket costs 12 euros.", sources: ["output"] }];
    const base = says([{ evidence, passed: true }]);
    try {
      await tryAll([""], async (_, seed) => {
        const judge = scriptedJudge((question, call) =>
          mutated(JSON.stringify(base(question)), chance(seed + call)),
        );
        const { verdicts } = await gradeRun(
          subject,
          { graders: [criteriaGrader({ judges: [judge] })], now: () => new Date(0) },
          new AbortController().signal,
        );
        expect(verdicts.filter(({ status }) => status === "passed")).toEqual([]);
        expect(verdicts).toHaveLength(1);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  LONG,
);

it(
  "streams of clients become events that can be stored, or nothing",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
    const fd = openSync(join(folder, "stream"), "a+");
    onTestFinished(() => {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    });
    await tryAll([CLAUDE, CODEX], (text) => {
      const events: unknown[] = [];
      const { emit } = new Recorder((event) => void events.push(event));
      const shared = { emit, turn: 1, stopOnSkill: null, invoked: null };
      const streams = [new ClaudeStream(shared), new CodexStream({ ...shared, threadUsage: null })];
      const exited = { kind: "exited", code: 1, signal: null } as const;
      for (const stream of streams) {
        const output = keepOutput(fd, fstatSync(fd).size, { lineBytes: 1e6, totalBytes: 1e9 }, (line) => {
          stream.hear(line);
          return undefined;
        });
        output.take(Buffer.from(text));
        output.end();
        const outcome = stream.outcome({
          ending: exited,
          durationMs: 1,
          stderrTail: "",
          notes: [],
          left: [],
        });
        expect(typeof outcome.status).toBe("string");
        expect(Object.values(stream.usage).filter((value) => value === Infinity)).toEqual([]);
      }
      expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    });
  },
  LONG,
);

it(
  "journals are read as far as they go",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
    const path = join(folder, "journal.jsonl");
    const lines = [1, 2, 3].map((repetition) =>
      JSON.stringify({ schema: 1, ...finished(sampleTrial({ repetition })) }),
    );
    try {
      await tryAll([`${lines.join("\n")}\n`], async (text) => {
        writeFileSync(path, text);
        const { events } = await readJournal(path);
        replay(events);
      });
      expect(readFileSync(path).length).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  LONG,
);

function examplesOf(ending: string): readonly string[] {
  const root = join(import.meta.dirname, "../../examples");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .filter((text) => text.length < 20_000);
}

const lines = (...events: readonly object[]) => events.map((event) => JSON.stringify(event)).join("\n");

const CLAUDE = lines(
  { type: "system", subtype: "init", session_id: "s-1", model: "m", tools: ["Bash"], skills: ["greeter"] },
  {
    type: "assistant",
    message: {
      id: "m-1",
      content: [
        { type: "text", text: "Hello" },
        { type: "tool_use", id: "t-1", name: "Bash", input: { command: "ls" } },
      ],
      usage: { input_tokens: 3, output_tokens: 4 },
    },
  },
  {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "t-1", content: "a", is_error: false }] },
  },
  {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "Hello",
    num_turns: 1,
    total_cost_usd: 0.1,
    usage: { input_tokens: 3, output_tokens: 4 },
  },
);

const CODEX = lines(
  { type: "thread.started", thread_id: "t-1" },
  { type: "turn.started" },
  { type: "item.completed", item: { id: "i-0", type: "command_execution", command: "ls", exit_code: 0 } },
  { type: "item.completed", item: { id: "i-1", type: "agent_message", text: "Hello" } },
  { type: "turn.completed", usage: { input_tokens: 3, cached_input_tokens: 1, output_tokens: 4 } },
);
