import { checkKind } from "./kind.ts";

export const noDeniedTools = checkKind({
  reads: "transcript",
  fields: {},
  subject: () => "",
  sentence: () => "no tool call is denied",
  holds: "no tool call was denied",
  forbids: true,
});
