import { orElse, text } from "./field.ts";
import { checkKind } from "./kind.ts";

/** A baseline has no skill to load. */
export const skillLoaded = checkKind({
  reads: "transcript",
  fields: { skill: orElse(text(), null) },
  appliesTo: "with-skill",
  subject: (claim) => claim.skill ?? "",
  sentence: (claim) => `the skill ${claim.skill ?? "under test"} is loaded`,
  holds:
    "the agent loaded `skill`, or the skill under test where none is named; `with-skill` unless said otherwise",
  asksForDeed: true,
});
