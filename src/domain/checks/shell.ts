import { text } from "./field.ts";
import { checkKind } from "./kind.ts";

/** Run in the workspace as the agent left it, in the trial's sandbox, and only once the user has agreed to it. */
export const shell = checkKind({
  reads: "commands",
  fields: { command: text() },
  short: "command",
  subject: (claim) => claim.command,
  sentence: (claim) => `the command ${JSON.stringify(claim.command)} succeeds`,
  holds: 'it ends with exit code 0 within 60 seconds; `{"shell": "..."}` is short for `type` and `command`',
  asksForDeed: true,
});
