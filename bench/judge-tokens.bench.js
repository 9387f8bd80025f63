import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.js";

const EXPECTATIONS = 10;
const TRANSCRIPT_TOKENS = 30_000;
/** The usual estimate; every figure here is made with it, so that it cancels out. */
const CHARS_PER_TOKEN = 4;

export default {
  what: `judge tokens for a ${TRANSCRIPT_TOKENS}-token transcript and ${EXPECTATIONS} expectations, at ${CHARS_PER_TOKEN} characters a token`,
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    try {
      const { criteriaGrader } = await import(await bundle("../src/grade/graders/criteria.ts"));
      const calls = [];
      const grader = criteriaGrader({ judges: [countingJudge(calls)] });
      const { checks, subject } = run(folder);
      const { verdicts } = await grader.grade(checks, subject, new AbortController().signal);
      const decided = verdicts.filter(({ status }) => status === "passed").length;
      if (decided !== EXPECTATIONS)
        throw new Error(`${decided} of ${EXPECTATIONS} decided: ${verdicts[0].reason}`);
      const perExpectation = calls.reduce((sum, call) => sum + call, 0) / EXPECTATIONS;
      const bar = TRANSCRIPT_TOKENS / EXPECTATIONS + 300;
      return [
        { label: "calls", value: calls.length, bar: "1", met: calls.length === 1 },
        {
          label: "tokens per expectation, question and reply",
          value: Math.round(perExpectation),
          bar: `<= ${bar}`,
          met: perExpectation <= bar,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Answers each criterion with a quote and a sentence, as long as real judges' replies are. */
function countingJudge(calls) {
  return {
    name: "counting",
    model: "none",
    async ask({ system, parts, reply }) {
      const asked = parts.at(-1).text;
      const criteria = asked.match(/^\d+\. .*$/gm);
      const value = {
        verdicts: criteria.map((text, index) => {
          const passed = !text.includes("final message contains the word");
          return {
            index: index + 1,
            evidence: [
              {
                kind: "quote",
                text: "wrote the summary with all of the figures that were asked for",
                sources: ["event 1"],
              },
            ],
            reason:
              "The agent says so and the file that it wrote has the figures, each with its source and its date.",
            passed,
            score: passed ? 0.95 : 0,
          };
        }),
        claims: Array.from({ length: 5 }, () => ({
          claim: "All figures were checked against the source.",
          type: "factual",
          evidence: "event 12 shows the check",
          verified: true,
        })),
        eval_feedback: {
          suggestions: [
            { criterion: 3, reason: "Would also pass for an empty table, since it asks only for a heading." },
          ],
          overall: "Mostly sound.",
        },
      };
      const chars = [
        system,
        ...parts.map((part) => part.text),
        JSON.stringify(reply.schema),
        JSON.stringify(value),
      ].join("").length;
      calls.push(chars / CHARS_PER_TOKEN);
      return {
        status: "answered",
        value: { ...value, feedback: value.eval_feedback },
        usage: {},
        cached: false,
        calls: 1,
      };
    },
  };
}

function run(folder) {
  const output = join(folder, "output.txt");
  writeFileSync(output, "Done.");
  const text = "wrote the summary with all of the figures that were asked for, line by line. ";
  const events = Array.from({ length: 120 }, (_, index) => {
    const head = { index, turn: 1, agent: null };
    const long = text
      .repeat(Math.ceil(1000 / text.length))
      .slice(0, (TRANSCRIPT_TOKENS * CHARS_PER_TOKEN) / 120);
    if (index === 0) return { ...head, kind: "message", role: "user", text: long };
    if (index % 3 === 0)
      return { ...head, kind: "tool-call", callId: `${index}`, tool: "Bash", input: { command: long } };
    if (index % 3 === 1) return { ...head, kind: "message", role: "assistant", text: long };
    return {
      ...head,
      kind: "tool-result",
      callId: `${index - 2}`,
      tool: "Bash",
      output: long,
      isError: false,
      denied: false,
    };
  });
  const checks = Array.from({ length: EXPECTATIONS }, (_, index) => ({
    id: `c${index}`,
    kind: "criterion",
    layer: "L3",
    text: `Expectation ${index}: the summary names every figure of the table with its source and the date it was taken`,
    appliesTo: "every-variant",
    origin: null,
  }));
  return {
    checks,
    subject: {
      case: {
        checks,
        expectedOutput: "A summary with all figures.",
        output: { kind: "messages" },
        prompt: { kind: "turns", turns: ["x"] },
      },
      trial: { id: "1/with_skill/run-1", variant: "with_skill" },
      run: { changes: [] },
      output: { status: "present", path: output, bytes: 5 },
      async *transcript() {
        yield* events;
      },
      files: [],
    },
  };
}
