import { json, orElse, text } from "./field.ts";
import { checkKind } from "./kind.ts";

/** Decided by a grader of the user's own, which is told by name; `with` is that grader's to understand. */
export const custom = checkKind({
  reads: "plugin",
  fields: { grader: text(), with: orElse(json(), null) },
  short: "grader",
  subject: ({ grader, with: values }) => (values === null ? grader : `${grader} ${JSON.stringify(values)}`),
  sentence: ({ grader, with: values }) =>
    `the grader ${grader} accepts the run${values === null ? "" : ` with ${JSON.stringify(values)}`}`,
  holds: 'your own grader of that name says so; `{"custom": "name"}` is short for `type` and `grader`',
});
