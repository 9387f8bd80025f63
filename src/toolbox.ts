/** What extensions are made with; the contract suites in `assay/contracts` say whether they hold. */

/** For formats: shapes read a value, report every problem at its place, and describe themselves as JSON Schema. */
export { valueOf } from "./lib/document/node.ts";
export { object, optional, required } from "./lib/shape/object.ts";
export { INVALID } from "./lib/shape/shape.ts";
export { bool, int, list, number, oneOf, text } from "./lib/shape/values.ts";
export { plainCase } from "./domain/suite.ts";
export { readContext } from "./load/read-context.ts";

/** For harnesses. */
export { type LineAgent, runLineAgent } from "./run/line-agent/line-agent.ts";
export { type ClientOptions } from "./run/client.ts";
export { type EventCall, type EventClient, eventClient } from "./run/event-client/event-client.ts";
export { type ClientStream } from "./run/event-client/client-stream.ts";
export { playTurns, type TurnClient, type TurnListener } from "./run/turns.ts";

/** For sandboxes: the variable by which processes that are left behind are found. */
export { TRIAL_MARK } from "./run/process/stop.ts";

/** For graders. */
export { codeGrader, type CodeFamily } from "./grade/code-grader.ts";
export { type Decision, failed, measure, passed, toVerdict, unscored } from "./grade/decision.ts";

/** For judges. */
export { askTwice, complaint, type Said, type Utterance } from "./grade/asking/ask-twice.ts";
export { schemaInstruction } from "./wires/structured.ts";
