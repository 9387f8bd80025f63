/**
 * Assay as a library: what the product does, as functions from options and a door to data. The command line uses the same
 * functions. Each also has a subpath of its own (`assay/evaluate`, `assay/bench`, ...), which loads less.
 */
export * from "./operations/add.ts";
export * from "./operations/bench.ts";
export * from "./operations/calibrate.ts";
export * from "./operations/capture.ts";
export * from "./operations/card.ts";
export * from "./operations/check.ts";
export * from "./operations/ci.ts";
export * from "./operations/clean.ts";
export * from "./operations/compare.ts";
export * from "./operations/control.ts";
export * from "./operations/controls.ts";
export * from "./operations/convert.ts";
export * from "./operations/demo.ts";
export * from "./operations/doctor.ts";
export * from "./operations/draft-from-evals.ts";
export * from "./operations/evaluate.ts";
export * from "./operations/explain.ts";
export * from "./operations/export.ts";
export * from "./operations/grade-again.ts";
export * from "./operations/grade-text.ts";
export * from "./operations/improve.ts";
export * from "./operations/improve-description.ts";
export * from "./operations/init.ts";
export * from "./operations/list.ts";
export * from "./operations/listing.ts";
export * from "./operations/names.ts";
export * from "./operations/package-skill.ts";
export * from "./operations/propose.ts";
export * from "./operations/propose-from-session.ts";
export * from "./operations/rows.ts";
export * from "./operations/schema.ts";
export * from "./operations/show.ts";
export * from "./operations/sim.ts";
export * from "./operations/suggest.ts";
export * from "./operations/testing.ts";
export * from "./operations/trend.ts";
export * from "./operations/watch.ts";
export * from "./operations/view.ts";
export { VERSION } from "./operations/version.ts";
/** Two modules have these words; the others are on the subpaths of theirs. */
export type { Comparison } from "./operations/compare.ts";
export type { Spending } from "./domain/summary.ts";

/** Who calls, from where, and with what configured. */
export { type Config, type Named, NO_CONFIG, type Plugins, readConfig } from "./operations/config.ts";
export type { Door } from "./operations/door.ts";
export type { AboutToRun, ConsentQuestion, Machine, Note, UntrustedScript } from "./machine.ts";
export { thisMachine } from "./this-machine.ts";

/** The seven extension points. `assay/toolbox` helps to write one, `assay/contracts` says whether it holds. */
export type { Executor, Batch, Job } from "./run/executor.ts";
export type { Format, LoadContext, Recognition, SourceDocument, Written } from "./load/format.ts";
export type { Graded, Grader } from "./grade/grader.ts";
export type { Harness, HarnessContext, HarnessRequest, HarnessRun } from "./run/harness.ts";
export type { HarnessSetup } from "./run/harnesses/index.ts";
export type { Answer, Judge, Question } from "./grade/judge.ts";
export type { IterationReport, Reporter, ReporterOutput } from "./report/reporter.ts";
export type { Places, Sandbox, TrialGround } from "./run/sandbox.ts";
export type { Subject, SubjectFile } from "./grade/subject.ts";

/** The words of the domain. */
export * from "./domain/basis.ts";
export * from "./domain/benchmark.ts";
export * from "./domain/canary.ts";
export * from "./domain/card.ts";
export * from "./domain/change.ts";
export * from "./domain/check.ts";
export * from "./domain/ci.ts";
export * from "./domain/control.ts";
export * from "./domain/diagnostic.ts";
export * from "./domain/disk-fault.ts";
export * from "./domain/event-texts.ts";
export * from "./domain/event.ts";
export * from "./domain/flip.ts";
export * from "./domain/grading-provider.ts";
export * from "./domain/grading.ts";
export * from "./domain/iteration.ts";
export * from "./domain/json.ts";
export * from "./domain/known-good-file.ts";
export * from "./domain/left-out.ts";
export * from "./domain/limits.ts";
export * from "./domain/network.ts";
export * from "./domain/pages.ts";
export * from "./domain/plan.ts";
export * from "./domain/run-pages.ts";
export * from "./domain/run-state.ts";
export * from "./domain/run.ts";
export * from "./domain/section.ts";
export * from "./domain/skill.ts";
export * from "./domain/suite.ts";
export * from "./domain/summary.ts";
export * from "./domain/transcript.ts";
export * from "./domain/trend.ts";
export * from "./domain/trial.ts";
export * from "./domain/triggers.ts";
export * from "./domain/usage.ts";
export * from "./domain/user-error.ts";
export * from "./domain/verdict.ts";
