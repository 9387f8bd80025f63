/** What benchmarks use of the inside. */
export { startGateway } from "../src/gateway/gateway.ts";
export { whyOverlayFails } from "../src/run/process/probe.ts";
export { supervise } from "../src/run/process/supervise.ts";
export { bwrap } from "../src/run/sandboxes/bwrap.ts";
export { none } from "../src/run/sandboxes/none.ts";
export { prepareBase } from "../src/run/workspace/base.ts";
export { openRunRoot } from "../src/run/workspace/run-root.ts";
export { SharedLayers } from "../src/run/workspace/shared-layers.ts";
export { stageTrial } from "../src/run/workspace/stage.ts";
export { gradeRun } from "../src/grade/grade.ts";
export { codeGraders } from "../src/grade/graders/index.ts";
export { parseScript } from "../src/gateway/sim/read-script.ts";
export { startSim } from "../src/gateway/sim/server.ts";
export { makeIteration, makeTranscript, writeChanged } from "./viewer/make-results.ts";
