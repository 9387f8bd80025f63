/** What extensions are made with; the contract suites in `assay/contracts` say whether they hold. */
export { codeGrader, type CodeFamily } from "./grade/code-grader.ts";
export { type Decision, failed, measure, passed, toVerdict, unscored } from "./grade/decision.ts";
export { type LineAgent, runLineAgent } from "./run/line-agent/line-agent.ts";
export { playTurns, type TurnClient, type TurnListener } from "./run/turns.ts";
