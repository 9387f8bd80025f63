type Files = Readonly<Record<string, string>>;

const json = (value: unknown) => JSON.stringify(value);

/** One iteration as another tool leaves it: the skill is asked to greet Bob, and names him or does not. */
interface Layout {
  readonly files: Files;
  /** What a person names to mean the iteration. */
  readonly iteration: string;
  /** And the run; the iteration where none is kept. */
  readonly run: string;
  /** What was kept of the run's files. */
  readonly hasFiles: boolean;
}

type Make = (root: string, namesBob: boolean) => Layout;

const STATEMENT = "It names Bob";

const graded = (namesBob: boolean) => ({
  text: STATEMENT,
  passed: namesBob,
  evidence: namesBob ? "greeting.txt has it" : "only 'Hi'",
});

const greeting = (namesBob: boolean) => (namesBob ? "Hello Bob" : "Hi");

const METADATA = json({ eval_id: 2, eval_name: "bob", prompt: "Greet Bob", assertions: [STATEMENT] });

const TRANSCRIPT = (namesBob: boolean) =>
  `# Eval Execution Transcript\n\n## Eval Prompt\n\nGreet Bob\n\n## Final Result\n\n${greeting(namesBob)}\n`;

function runFiles(at: string, namesBob: boolean): Files {
  return {
    [`${at}/outputs/greeting.txt`]: greeting(namesBob),
    [`${at}/grading.json`]: json({ expectations: [graded(namesBob)] }),
  };
}

const numbered =
  (iteration: string): Make =>
  (root, namesBob) => {
    const at = `${root}/${iteration}/eval-2-bob`;
    return {
      files: {
        [`${at}/eval_metadata.json`]: METADATA,
        ...runFiles(`${at}/with_skill/run-1`, namesBob),
        ...runFiles(`${at}/without_skill/run-1`, false),
      },
      iteration: `${root}/${iteration}`,
      run: `${at}/with_skill/run-1`,
      hasFiles: true,
    };
  };

const flat: Make = (root, namesBob) => {
  const at = `${root}/iteration-1/bob-at-night`;
  return {
    files: {
      [`${at}/eval_metadata.json`]: METADATA,
      [`${at}/with_skill/outputs/greeting.txt`]: greeting(namesBob),
      [`${at}/with_skill/grading.json`]: json({ assertion_results: [graded(namesBob)] }),
    },
    iteration: `${root}/iteration-1`,
    run: `${at}/with_skill`,
    hasFiles: true,
  };
};

const belowRuns: Make = (root, namesBob) => {
  const at = `${root}/benchmarks/2026-01-15T10-30-00`;
  return {
    files: runFiles(`${at}/runs/eval-2/with_skill/run-1`, namesBob),
    iteration: at,
    run: `${at}/runs/eval-2/with_skill/run-1`,
    hasFiles: true,
  };
};

const version: Make = (root, namesBob) => {
  const at = `${root}/v0`;
  return {
    files: {
      [`${root}/history.json`]: json({ skill_name: "greeter" }),
      [`${at}/META.yaml`]: "parent: null\n",
      [`${at}/skill/SKILL.md`]: "---\nname: greeter\ndescription: x\n---\n",
      [`${at}/runs/run-1/transcript.md`]: TRANSCRIPT(namesBob),
      ...runFiles(`${at}/runs/run-1`, namesBob),
    },
    iteration: at,
    run: `${at}/runs/run-1`,
    hasFiles: true,
  };
};

const bothArmsInOneFile: Make = (root, namesBob) => {
  const at = `${root}/iteration-1/eval-2`;
  return {
    files: {
      [`${at}/eval_metadata.json`]: METADATA,
      [`${at}/grading.json`]: json({
        with_skill: [graded(namesBob)],
        without_skill: { expectations: [graded(false)] },
      }),
      [`${at}/with_skill/outputs/greeting.txt`]: greeting(namesBob),
      [`${at}/without_skill/outputs/greeting.txt`]: "Hi",
    },
    iteration: `${root}/iteration-1`,
    run: `${at}/with_skill`,
    hasFiles: true,
  };
};

const gradingAlone: Make = (root, namesBob) => ({
  files: {
    [`${root}/iteration-1/eval-2/grading.json`]: json({
      with_skill: [graded(namesBob)],
      without_skill: [graded(false)],
    }),
  },
  iteration: `${root}/iteration-1`,
  run: `${root}/iteration-1`,
  hasFiles: false,
});

const gradedTogether: Make = (root, namesBob) => ({
  files: {
    [`${root}/iteration-1/eval-2/notes.txt`]: "",
    [`${root}/iteration-1/grading.json`]: json({ "eval-2": { with_skill: [graded(namesBob)] }, note: "x" }),
  },
  iteration: `${root}/iteration-1`,
  run: `${root}/iteration-1`,
  hasFiles: false,
});

const severalRunsInOneFile: Make = (root, namesBob) => {
  const at = `${root}/iteration-1/eval-2/with_skill`;
  const run = { expectations: [{ expectation: STATEMENT, passed: namesBob, reason: "only 'Hi'" }] };
  return {
    files: {
      [`${at}/outputs/greeting.txt`]: greeting(namesBob),
      [`${at}/grading.json`]: json({ runs: [run, run] }),
    },
    iteration: `${root}/iteration-1`,
    run: at,
    hasFiles: true,
  };
};

const benchmarkAlone: Make = (root, namesBob) => ({
  files: {
    [`${root}/iteration-1/benchmark.json`]: json({
      metadata: { skill_name: "greeter", executor_model: "<model-name>" },
      runs: [
        {
          eval_id: 2,
          configuration: "with_skill (iter4)",
          run_number: 1,
          result: { pass_rate: Number(namesBob), passed: Number(namesBob), total: 1 },
          expectations: [graded(namesBob)],
        },
      ],
    }),
  },
  iteration: `${root}/iteration-1`,
  run: `${root}/iteration-1`,
  hasFiles: false,
});

const clauditor: Make = (root, namesBob) => {
  const at = `${root}/.clauditor/iteration-3/greeter`;
  return {
    files: {
      [`${at}/assertions.json`]: json({
        skill: "greeter",
        runs: [
          {
            run: 0,
            results: [{ id: "names-bob", name: STATEMENT, passed: namesBob, message: "only 'Hi'" }],
          },
        ],
      }),
      [`${at}/run-0/output.txt`]: greeting(namesBob),
    },
    iteration: at,
    run: `${at}/run-0`,
    hasFiles: false,
  };
};

const STREAM = (namesBob: boolean) =>
  [
    { type: "system", subtype: "init", model: "claude-x", session_id: "s", skills: ["greeter"] },
    {
      type: "assistant",
      message: { id: "m1", role: "assistant", content: [{ type: "text", text: greeting(namesBob) }] },
    },
    { type: "result", subtype: "success", is_error: false, result: greeting(namesBob) },
  ]
    .map((event) => `${json(event)}\n`)
    .join("");

const bmad: Make = (root, namesBob) => {
  const at = `${root}/20260203-040506-greeter`;
  return {
    files: {
      [`${at}/run.json`]: json({ run_id: "20260203-040506", skill_name: "greeter" }),
      [`${at}/execution-summary.json`]: json({ total: 1, executed: 1 }),
      [`${at}/2/prompt.txt`]: "Greet Bob\n",
      [`${at}/2/transcript.jsonl`]: STREAM(namesBob),
      [`${at}/2/artifacts/greeting.txt`]: greeting(namesBob),
      [`${at}/2/metrics.json`]: json({ return_code: 0 }),
      [`${at}/2/grading.json`]: json({ expectations: [graded(namesBob)] }),
    },
    iteration: at,
    run: `${at}/2`,
    hasFiles: true,
  };
};

const laterBmad: Make = (root, namesBob) => {
  const at = `${root}/20260203-040506-evals`;
  const run = (configuration: string, isNamed: boolean): Files => ({
    [`${at}/${configuration}/2/run-1/prompt.txt`]: "Greet Bob",
    [`${at}/${configuration}/2/run-1/case.json`]: json({ id: "2", input: "Greet Bob", rubric: [STATEMENT] }),
    [`${at}/${configuration}/2/run-1/cwd/greeting.txt`]: greeting(isNamed),
    [`${at}/${configuration}/2/run-1/timing.json`]: json({ status: "ok", elapsed_s: 3 }),
    [`${at}/${configuration}/2/run-1/grading.json`]: json({ expectations: [graded(isNamed)] }),
  });
  return {
    files: {
      [`${at}/run.json`]: json({ run_id: "x", skill_name: "greeter" }),
      ...run("skill", namesBob),
      ...run("bare", false),
    },
    iteration: at,
    run: `${at}/skill/2/run-1`,
    hasFiles: true,
  };
};

/** Every layout in which tasks were met. */
export const LAYOUTS: Readonly<Record<string, Make>> = {
  "numbered runs": numbered("iteration-1"),
  "iterations side by side": numbered("iteration-1-gpt-5"),
  "flat runs": flat,
  "runs below a benchmark": belowRuns,
  "versions of the first generation": version,
  "both arms in one grading": bothArmsInOneFile,
  "a grading of both arms alone": gradingAlone,
  "one grading for all evals": gradedTogether,
  "several runs in one grading": severalRunsInOneFile,
  "a benchmark alone": benchmarkAlone,
  clauditor,
  "BMad's first generation": bmad,
  "BMad's later generations": laterBmad,
};

/** A trigger measurement of BMad. */
export function bmadTriggers(root: string): Files {
  const at = `${root}/20260203-040506-greeter-triggers`;
  const query = (text: string, should: boolean, [triggers, runs]: readonly [number, number]) => ({
    query: text,
    should_trigger: should,
    trigger_rate: runs === 0 ? 0 : triggers / runs,
    triggers,
    runs,
    pass: true,
  });
  return {
    [`${at}/run.json`]: json({ run_id: "20260203-040506", skill_name: "greeter" }),
    [`${at}/triggers-result.json`]: json({
      skill_name: "greeter",
      description: "Greets people by name.",
      results: [
        query("Greet Ada", true, [3, 3]),
        query("Say hello to Bob", true, [0, 3]),
        query("Sum these up", false, [1, 3]),
        query("Nothing ran", false, [0, 0]),
        { query: "Odd", should_trigger: true, triggers: 5, runs: 3 },
      ],
      summary: { total: 5, passed: 3, failed: 2 },
    }),
    [`${at}/queries/q000-r1/.keep`]: "",
  };
}
