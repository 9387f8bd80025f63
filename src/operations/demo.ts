import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IterationEnd } from "../domain/event.ts";
import { installed } from "../engine/installation.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { readScript } from "../gateway/sim/read-script.ts";
import { startSim } from "../gateway/sim/server.ts";
import type { Machine, Note } from "../machine.ts";
import { texts } from "../options/kind.ts";
import { type Given, optionOr, settle } from "../options/table.ts";
import type { Reporter } from "../report/reporter.ts";
import { findSandbox } from "../run/choose-sandbox.ts";
import { bench } from "./bench.ts";
import { chooseExamples, type Example } from "./demo/examples.ts";
import { type LeftOutRun, leftOutRuns } from "./demo/left-out-runs.ts";
import type { Door } from "./door.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";

export type { Example } from "./demo/examples.ts";

export type DemoEvent =
  | { readonly kind: "example-started"; readonly example: Example }
  | { readonly kind: "example-ended"; readonly outcome: ExampleOutcome };

/** Gates may be missed in an example; what does not work is the demo itself. */
export type ExampleOutcome =
  | { readonly example: Example; readonly status: "worked" | "interrupted" }
  | {
      readonly example: Example;
      readonly status: "failed";
      /** What was thrown. */
      readonly errors: readonly unknown[];
      /** Runs that are not in the numbers. */
      readonly leftOut: readonly LeftOutRun[];
      /** What was said on the way. */
      readonly notes: readonly Note[];
    };

export interface Demo {
  /** Absolute; holds everything that was run, said and decided. */
  readonly workspace: string;
  /** In order; after an interrupt the rest is missing. */
  readonly outcomes: readonly ExampleOutcome[];
  readonly ended: IterationEnd;
}

/** Nothing is configured for a demo; reporters hear of all examples. */
export interface DemoDoor extends Omit<Door, "config"> {
  readonly on?: (event: DemoEvent) => void;
}

/** What `demo` can be told. */
export const DEMO_OPTIONS = {
  examples: optionOr(null, { kind: texts, otherwise: [] }, "only these example skills (default: all)"),
};
export type DemoOptions = Given<typeof DEMO_OPTIONS>;

/** The main job on one example skill per format: everything is real but the model, which plays a script. */
export async function demo(options: DemoOptions, door: DemoDoor): Promise<Demo> {
  const chosen = chooseExamples(settle(DEMO_OPTIONS, options, { env: door.machine.env }).examples);
  requireTempFolder();
  const workspace = await mkdtemp(join(tmpdir(), "assay-demo-"));
  const outcomes: ExampleOutcome[] = [];
  for (const example of chosen) {
    door.on?.({ kind: "example-started", example });
    const outcome = await tryExample(example, workspace, door);
    outcomes.push(outcome);
    door.on?.({ kind: "example-ended", outcome });
    if (outcome.status === "interrupted") return { workspace, outcomes, ended: "interrupted" };
  }
  return { workspace, outcomes, ended: "complete" };
}

async function tryExample(example: Example, workspace: string, door: DemoDoor): Promise<ExampleOutcome> {
  const notes: Note[] = [];
  try {
    const evaluation = await runExample(example, workspace, noting(notes, door));
    if (evaluation.ended === "interrupted") return { example, status: "interrupted" };
    if (works(example, evaluation)) return { example, status: "worked" };
    const errors = evaluation.failures.map(({ error }) => error);
    return { example, status: "failed", errors, leftOut: evaluation.reports.flatMap(leftOutRuns), notes };
  } catch (error) {
    if (door.signal?.aborted === true) return { example, status: "interrupted" };
    return { example, status: "failed", errors: [error], leftOut: [], notes };
  }
}

/** The same door; what it would say on the way is kept until it is known whether the example worked. */
function noting(notes: Note[], { machine, reporters = [], ...door }: DemoDoor): DemoDoor {
  const listener: Reporter = {
    name: "notes",
    event: (event) => void (event.kind === "note" && notes.push(event.message)),
  };
  return {
    ...door,
    machine: { ...machine, note: (note) => void notes.push(note) },
    reporters: [...reporters, listener],
  };
}

async function runExample(
  { name, operation }: Example,
  workspace: string,
  { machine, reporters = [], signal }: DemoDoor,
): Promise<Evaluation> {
  await using sim = await startSim(await readScript(installed("examples", "demo", `${name}.model.yaml`)));
  const env = {
    ...withoutServices(machine.env),
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: "the-demo-needs-no-key",
  };
  const options = {
    targets: [installed("examples", name)],
    harnesses: ["builtin"],
    transport: "api",
    gradingProvider: "anthropic",
    trust: true,
    sandbox: await demoSandbox(workspace),
    // What a script said must not be remembered as what a model said.
    cache: false,
    workspace,
  };
  const door = { machine: { ...machine, env }, reporters, ...(signal && { signal }) };
  return operation === "evaluate" ? await evaluate(options, door) : await bench(options, door);
}

/** None where no other works: agents, models and skills of the demo are our own. */
async function demoSandbox(folder: string): Promise<string> {
  return findSandbox("auto", folder).then(
    ({ name }) => name,
    () => "none",
  );
}

/** Whatever the user has configured must not be asked by a demo. */
function withoutServices(env: Machine["env"]): Machine["env"] {
  const services = /^(ANTHROPIC|OPENAI|CODEX|GEMINI|GOOGLE|CLAUDE|CLAUDITOR|ASSAY)_/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !services.test(name)));
}

/** One case goes wrong on purpose, so a missed gate is fine; the benchmark has to find a skill that does no harm. */
function works({ operation }: Example, { reports, failures }: Evaluation): boolean {
  const verdicts = new Set(reports.map(({ summary }) => summary.verdict));
  if (failures.length > 0 || verdicts.has("unfinished")) return false;
  return operation === "evaluate" || !verdicts.has("failed");
}
