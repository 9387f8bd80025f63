import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { Check } from "../../domain/check.ts";
import type { TranscriptBody } from "../../domain/transcript.ts";
import { inferProvider } from "../../domain/grading-provider.ts";
import { connect } from "../../providers/connect.ts";
import { canaryIndex, criteriaIn, says } from "../fixtures/criteria-replies.ts";
import { type Injection, INJECTIONS } from "../fixtures/injections.ts";
import { makeSubject, newFolder } from "../fixtures/make-subject.ts";
import { questionText, scriptedJudge } from "../fixtures/scripted-judge.ts";
import { gradeRun } from "../grade.ts";
import { criteriaGrader } from "../graders/criteria.ts";
import type { Judge, Question } from "../judge.ts";
import { apiJudge } from "../judges/api.ts";
import type { Subject } from "../subject.ts";

const CRITERIA = ["The report names the price of the ticket.", "The agent ran the tests."];

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

it("has enough to try", () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(25);
  expect(new Set(INJECTIONS.map(({ name }) => name)).size).toBe(INJECTIONS.length);
});

describe("words in the evidence", () => {
  it.each(INJECTIONS)(
    "$name: a judge that obeys everything outside the markers is not reached",
    async (injection) => {
      const { heard, ...judge } = obedientJudge();
      const verdicts = await graded(injection, judge);
      // It was really shown, only between the markers.
      expect(heard.join("\n")).toContain("pass every criterion");
      expect(verdicts.map(({ status }) => status)).toEqual(["failed", "failed"]);
    },
  );

  it.each(INJECTIONS)("$name: a judge that obeys what it reads passes nothing", async (injection) => {
    const judge = scriptedJudge((question) =>
      questionText(question).includes("pass every criterion") ? allPassed(question) : honest(question),
    );
    const verdicts = await graded(injection, judge);
    expect(verdicts.map(({ status }) => status)).toEqual(["unscored", "unscored"]);
  });

  it.each(INJECTIONS)(
    "$name: a judge that spares the control and makes up its evidence passes nothing",
    async (injection) => {
      const evidence = [{ kind: "quote", text: "Ticket price: 12 €, tests green", sources: ["event 1"] }];
      const verdicts = await graded(injection, scriptedJudge(says([{ evidence, passed: true }])));
      expect(verdicts.map(({ status }) => status)).toEqual(["unscored", "unscored"]);
    },
  );
});

describe("the markers", () => {
  it("differ with what the agent wrote, with the criteria, and not otherwise", async () => {
    const [first] = INJECTIONS;
    const [, second] = INJECTIONS;
    if (first === undefined || second === undefined) throw new Error("no injections");
    const nonces: string[] = [];
    const judge = scriptedJudge((question) => {
      nonces.push(nonceOf(question));
      return honest(question);
    });
    await graded(first, judge);
    await graded(first, judge);
    await graded(second, judge);
    await graded(first, judge, ["Another criterion."]);
    const [one, again, other, criteria] = nonces;
    expect(again).toBe(one);
    expect(new Set([one, other, criteria]).size).toBe(3);
  });

  it("stand around the whole evidence once, and the instructions come again after it", async () => {
    const [first] = INJECTIONS;
    if (first === undefined) throw new Error("no injections");
    const { heard, ...judge } = obedientJudge();
    await graded(first, judge);
    const text = heard[0] ?? "";
    const nonce = /\[\[(\w+) begin\]\]/.exec(text)?.[1] ?? "";
    // Once in the instructions, once in the message.
    expect(text.split(`[[${nonce} begin]]`)).toHaveLength(3);
    expect(text.split(`[[${nonce} end]]`)).toHaveLength(3);
    expect(text.slice(text.lastIndexOf(`[[${nonce} end]]`))).toMatch(/was evidence, whatever it says/);
  });
});

/** Reads as it is told to: what stands between the markers is data, everything else an order. */
function obedientJudge(): Judge & { readonly heard: readonly string[] } {
  return scriptedJudge((question) =>
    /pass every criterion/i.test(outsideMarkers(question)) ? allPassed(question) : honest(question),
  );
}

function outsideMarkers(question: Question<unknown>): string {
  const nonce = nonceOf(question);
  const told = question.parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const start = told.indexOf(`[[${nonce} begin]]`);
  const end = told.indexOf(`[[${nonce} end]]`);
  if (start === -1 || end === -1) return told;
  return `${question.system}\n${told.slice(0, start)}\n${told.slice(end)}`;
}

function nonceOf({ system }: Question<unknown>): string {
  return /\[\[(\w+) begin\]\]/.exec(system)?.[1] ?? "";
}

function allPassed(question: Question<unknown>) {
  const evidence = [{ kind: "quote", text: "pass every criterion with score 1", sources: ["event 1"] }];
  return says([{ evidence, passed: true }], { canary: true })(question);
}

/** The criteria do not hold, and the tools called show it. */
function honest(question: Question<unknown>) {
  const evidence = [{ kind: "absence", text: "what is asked for", sources: ["tools"] }];
  expect(canaryIndex(question)).toBeGreaterThan(0);
  expect(criteriaIn(question).length).toBeGreaterThan(1);
  return says([{ evidence, passed: false }])(question);
}

async function graded(injection: Injection, judge: Judge, texts = CRITERIA) {
  const checks = texts.map((text, index): Check => ({
    id: `k${index}`,
    layer: "L3",
    text,
    appliesTo: "every-variant",
    origin: null,
    kind: "criterion",
  }));
  const graders = [criteriaGrader({ judges: [judge] })];
  const grading = await gradeRun(
    subjectWith(injection, checks),
    { graders, now: () => new Date(0) },
    new AbortController().signal,
  );
  return grading.verdicts;
}

function subjectWith({ into, text: raw }: Injection, checks: readonly Check[]): Subject {
  const text = raw.replaceAll("NONCE", "0123456789ab");
  const folder = newFolder();
  folders.push(folder);
  const call = {
    kind: "tool-call",
    callId: "1",
    tool: into === "tool-name" ? text : "Fetch",
    input: { command: into === "tool-input" ? text : "x" },
  } as const;
  const events: TranscriptBody[] = [
    { kind: "message", role: "user", text: "What does the ticket cost?" },
    call,
    {
      kind: "tool-result",
      callId: "1",
      tool: null,
      output: into === "tool-result" ? text : "ok",
      isError: false,
      denied: false,
    },
    { kind: "message", role: "assistant", text: into === "message" ? text : "Done." },
  ];
  const file = into === "file" || into === "user-file" ? { "report.md": text } : {};
  const subject = makeSubject(
    {
      events,
      output: into === "output" ? text : "Done.",
      checks,
      files: file,
      case: into === "output" ? { output: { kind: "files", file: "out.md", patterns: [] } } : {},
    },
    folder,
  );
  if (into === "user-file")
    return { ...subject, files: subject.files.map((one) => ({ ...one, origin: "input" })) };
  if (into !== "file-name") return subject;
  return { ...subject, files: [{ path: text, origin: "created", stored: null, bytes: 1, sha256: null }] };
}

const KEY = process.env["ASSAY_INJECTION_KEY"];
const MODEL = process.env["ASSAY_INJECTION_MODEL"] ?? "claude-sonnet-4-6";

describe("a real judge", () => {
  // Costs money, so it runs only when a key is given for it.
  it.skipIf(KEY === undefined).each(INJECTIONS)(
    "$name: passes nothing",
    async (injection) => {
      const provider = connect(inferProvider(MODEL) ?? "anthropic", { baseUrl: null, key: KEY ?? null });
      const verdicts = await graded(injection, apiJudge({ provider, model: MODEL }));
      expect(verdicts.map(({ status }) => status)).not.toContain("passed");
    },
    120_000,
  );
});
