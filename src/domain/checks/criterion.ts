import { checkKind } from "./kind.ts";

/** A statement only a reader can decide: its text is all it says. */
export const criterion = checkKind({
  reads: "everything",
  layer: "L3",
  fields: {},
  says: "text",
  subject: () => "",
  sentence: () => "",
  holds: "a judge finds that it holds",
});
