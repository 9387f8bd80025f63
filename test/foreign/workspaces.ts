type Files = Readonly<Record<string, string>>;

const json = (value: unknown) => JSON.stringify(value);

const SKILL = "---\nname: greeter\ndescription: Greets people by name.\n---\n\n# Greeting\n\nSay hello.\n";

export const PROJECT: Files = {
  "skills/greeter/SKILL.md": SKILL,
  "skills/greeter/evals/evals.json": json({
    skill_name: "greeter",
    evals: [
      { id: 1, prompt: "Greet Ada", expectations: ["It names Ada", "It is friendly"] },
      { id: 2, prompt: "Greet Bob", expectations: ["It names Bob"] },
    ],
  }),
};

function grading(verdicts: Readonly<Record<string, boolean>>): string {
  const expectations = Object.entries(verdicts).map(([text, passed]) => ({
    text,
    passed,
    evidence: passed ? "greeting.txt has it" : "greeting.txt has only 'Hi'",
  }));
  const passed = expectations.filter((one) => one.passed).length;
  const total = expectations.length;
  return json({
    expectations,
    summary: { passed, failed: total - passed, total, pass_rate: passed / total },
  });
}

interface Run {
  readonly at: string;
  readonly text: string;
  readonly verdicts: Readonly<Record<string, boolean>>;
}

function runFiles({ at, text, verdicts }: Run): Files {
  return {
    [`${at}/outputs/greeting.txt`]: text,
    [`${at}/timing.json`]: json({ total_tokens: 900, duration_ms: 1500, total_duration_seconds: 1.5 }),
    [`${at}/grading.json`]: grading(verdicts),
  };
}

/** skill-creator's workspace with numbered runs; in the second iteration Bob is named. */
export function numberedWorkspace(root = "greeter-workspace"): Files {
  const iteration = (number: number, isFixed: boolean): Files => ({
    [`${root}/iteration-${number}/eval-1-ada/eval_metadata.json`]: json({
      eval_id: 1,
      eval_name: "ada",
      prompt: "Greet Ada",
      assertions: ["It names Ada", "It is friendly"],
    }),
    ...runFiles({
      at: `${root}/iteration-${number}/eval-1-ada/with_skill/run-1`,
      text: "Hello Ada",
      verdicts: { "It names Ada": true, "It is friendly": true },
    }),
    ...runFiles({
      at: `${root}/iteration-${number}/eval-1-ada/without_skill/run-1`,
      text: "Hi",
      verdicts: { "It names Ada": false, "It is friendly": true },
    }),
    [`${root}/iteration-${number}/eval-2-bob/eval_metadata.json`]: json({
      eval_id: 2,
      eval_name: "bob",
      prompt: "Greet Bob",
      assertions: [{ text: "It names Bob" }],
    }),
    ...runFiles({
      at: `${root}/iteration-${number}/eval-2-bob/with_skill/run-1`,
      text: isFixed ? "Hello Bob" : "Hi",
      verdicts: { "It names Bob": isFixed },
    }),
  });
  return { ...iteration(1, false), ...iteration(2, true) };
}

/** agentskills.io: one run per configuration, `assertion_results`, evals called by what they are. */
export function flatWorkspace(root = "greeter-workspace"): Files {
  const at = `${root}/iteration-1/bob-at-night`;
  return {
    [`${at}/eval_metadata.json`]: json({ eval_id: 2, eval_name: "bob", prompt: "Greet Bob", assertions: [] }),
    [`${at}/with_skill/outputs/greeting.txt`]: "Hi",
    [`${at}/with_skill/grading.json`]: json({
      assertion_results: [{ text: "It names Bob", passed: false, evidence: "only 'Hi'" }],
    }),
    [`${at}/with_skill/transcript.md`]:
      "# Eval Execution Transcript\n\n## Eval Prompt\n\nGreet Bob\n\n## Final Result\n\nI wrote greeting.txt\n",
    [`${root}/iteration-1/feedback.json`]: json({ "bob-at-night": "Bob is never named" }),
  };
}

/** The older layout: a benchmark with its runs and no iteration around them. */
export function runsWorkspace(root = "greeter-workspace/benchmarks/2026-01-15T10-30-00"): Files {
  return {
    [`${root}/benchmark.json`]: json({
      metadata: { skill_name: "greeter", timestamp: "2026-01-15T10:30:00Z" },
      runs: [
        {
          eval_id: 2,
          configuration: "with_skill",
          run_number: 1,
          result: { pass_rate: 1, passed: 1, total: 1 },
        },
      ],
      run_summary: { with_skill: { pass_rate: { mean: 1, stddev: 0 } } },
    }),
    ...runFiles({
      at: `${root}/runs/eval-2/with_skill/run-1`,
      text: "Hi",
      verdicts: { "It names Bob": false },
    }),
  };
}

/** Nothing but the benchmark. */
export function benchmarkOnly(root = "greeter-workspace"): Files {
  return {
    [`${root}/iteration-1/benchmark.json`]: json({
      metadata: { skill_name: "greeter", executor_model: "<model-name>" },
      runs: ["with_skill (iter4)", "01_without_skill_haiku"].map((configuration, index) => ({
        eval_id: "bob",
        configuration,
        run_number: 1,
        result: { pass_rate: index === 0 ? 0 : 1, passed: index === 0 ? 0 : 1, total: 1 },
        expectations: [{ text: "It names Bob", passed: index > 0, evidence: "looked" }],
      })),
    }),
  };
}

/** Several runs graded in one file, and statements under other names. */
export function oddWorkspace(root = "greeter-workspace"): Files {
  const at = `${root}/iteration-1/eval-2`;
  const run = (passed: boolean | null) => ({
    expectations: [{ expectation: "It names Bob", passed, reason: "looked" }],
  });
  return {
    [`${at}/with_skill/outputs/greeting.txt`]: "Hi",
    [`${at}/with_skill/grading.json`]: json({ runs: [run(false), run(true), run(null)] }),
  };
}

/** Files that say different things about the same runs. */
export function contradictoryWorkspace(root = "greeter-workspace"): Files {
  const at = `${root}/iteration-1`;
  return {
    ...flatWorkspace(root),
    [`${at}/another/eval_metadata.json`]: json({
      eval_id: 2,
      prompt: "Greet Eve",
      assertions: ["It names Eve", "It waves"],
    }),
    [`${at}/another/with_skill/grading.json`]: json({
      expectations: [{ text: "It names Eve", passed: true, evidence: "Hello Eve" }],
      summary: { passed: 0, failed: 3, total: 3, pass_rate: 0 },
    }),
    [`${at}/another/with_skill_again/grading.json`]: json({
      expectations: [{ text: "It names Eve", passed: false, evidence: "no" }],
    }),
    [`${at}/another/maybe/grading.json`]: json({
      expectations: [{ text: "It names Eve", passed: false, evidence: "no" }],
    }),
    [`${at}/torn/with_skill/grading.json`]: '{ "expectations": [',
    [`${at}/torn/with_skill/outputs/greeting.txt`]: "Hi",
  };
}

/** `.clauditor/` with all layers and a baseline. */
export function clauditorFolder(): Files {
  const at = ".clauditor/iteration-3/greeter";
  const l1 = (passed: boolean) => ({
    results: [
      {
        id: "says-hello",
        name: "contains: Hello",
        passed,
        message: passed ? "found" : "not found",
        kind: "presence",
      },
    ],
  });
  return {
    [`${at}/assertions.json`]: json({
      schema_version: 2,
      harness: "claude-code",
      skill: "greeter",
      iteration: 3,
      runs: [
        { run: 0, input_tokens: 100, output_tokens: 20, ...l1(true) },
        { run: 1, ...l1(false) },
      ],
    }),
    [`${at}/grading.json`]: json({
      schema_version: 5,
      skill_name: "greeter",
      model: "judge-1",
      timestamp: "2026-02-03T04:05:06+00:00",
      results: [
        { id: "warm", criterion: "It is warm", passed: false, score: 0.3, evidence: "Hi", reasoning: "curt" },
      ],
      thresholds: { min_pass_rate: 0.7, min_mean_score: 0.5 },
    }),
    [`${at}/extraction.json`]: json({
      schema_version: 5,
      fields: { name: [{ field_name: "name", entry_index: 0, passed: true, evidence: "Ada" }] },
    }),
    [`${at}/context.json`]: json({ harness: "claude-code", model_runner: "haiku", model_grader: "judge-1" }),
    [`${at}/run-0/output.txt`]: "Hello Ada\n",
    [`${at}/run-1/output.txt`]: "Hi\n",
    [`${at}/baseline.json`]: json({
      output: "Good day",
      exit_code: 0,
      duration_seconds: 2,
      input_tokens: 5,
      output_tokens: 6,
    }),
    [`${at}/baseline_assertions.json`]: json(l1(false)),
    ".clauditor/history.jsonl": "",
  };
}

const CLAUDE_STREAM = [
  { type: "system", subtype: "init", model: "claude-x", session_id: "s", skills: ["greeter"] },
  {
    type: "assistant",
    message: { id: "m1", role: "assistant", content: [{ type: "text", text: "Hi" }], model: "claude-x" },
  },
  { type: "result", subtype: "success", is_error: false, result: "Hi" },
]
  .map((event) => `${json(event)}\n`)
  .join("");

/** BMad's first generation. */
export function bmadFolder(root = "eval-runs/20260203-040506-greeter"): Files {
  return {
    [`${root}/run.json`]: json({
      run_id: "20260203-040506",
      skill_name: "greeter",
      started_at: "2026-02-03T04:05:06Z",
    }),
    [`${root}/execution-summary.json`]: json({ run_id: "20260203-040506", total: 3, executed: 2 }),
    [`${root}/A1/prompt.txt`]: "Greet Bob\n",
    [`${root}/A1/transcript.jsonl`]: CLAUDE_STREAM,
    [`${root}/A1/artifacts/greeting.txt`]: "Hi",
    [`${root}/A1/metrics.json`]: json({ elapsed_s: 4, return_code: 0, tool_calls: { Write: 1 } }),
    [`${root}/A1/grading.json`]: grading({ "It names Bob": false }),
    [`${root}/B1/prompt.txt`]: "Greet Eve\n",
    [`${root}/B1/metrics.json`]: json({ elapsed_s: 600, return_code: -1, stderr_tail: "TIMEOUT after 600s" }),
  };
}

/** BMad's later generations: a skill and a bare arm. */
export function laterBmadFolder(root = "out/20260203-040506-evals"): Files {
  return {
    [`${root}/run.json`]: json({ run_id: "x", skill_name: "greeter" }),
    [`${root}/skill/bob/run-1/prompt.txt`]: "Greet Bob",
    [`${root}/skill/bob/run-1/case.json`]: json({ id: "bob", input: "Greet Bob", rubric: ["It names Bob"] }),
    [`${root}/skill/bob/run-1/timing.json`]: json({
      status: "ok",
      elapsed_s: 3,
      input_tokens: 10,
      output_tokens: 5,
    }),
    [`${root}/skill/bob/run-1/grading.json`]: grading({ "It names Bob": true }),
    [`${root}/bare/bob/run-1/prompt.txt`]: "Greet Bob",
    [`${root}/bare/bob/run-1/timing.json`]: json({ status: "ok", elapsed_s: 3 }),
    [`${root}/bare/bob/run-1/grading.json`]: grading({ "It names Bob": false }),
  };
}
