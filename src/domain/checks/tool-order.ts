import { texts } from "./field.ts";
import { checkKind } from "./kind.ts";

export const toolOrder = checkKind({
  reads: "transcript",
  fields: { tools: texts() },
  subject: (claim) => claim.tools.join(","),
  sentence: (claim) => `the tools are called in this order: ${claim.tools.join(", ")}`,
  holds: "the first calls are in this order",
  asksForDeed: true,
});
