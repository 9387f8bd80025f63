/**
 * What every extension promises, as suites that declare vitest tests: call one in a test file of yours. They need vitest,
 * and nothing of this repository.
 */
export { type FormatKit, type FormatSample, formatContract } from "./load/format.contract.ts";
export { type GraderKit, type GraderSample, graderContract } from "./grade/grader.contract.ts";
export { type JudgeBench, judgeContract, type ScriptedReply } from "./grade/judge.contract.ts";
export { type ReporterKit, reporterContract } from "./report/reporter.contract.ts";
export { executorContract } from "./run/executor.contract.ts";
export { type Act, type HarnessContractOptions, harnessContract, type Lack } from "./run/harness.contract.ts";
export { sandboxContract } from "./run/sandbox.contract.ts";
