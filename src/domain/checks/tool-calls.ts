import { integer, orElse, pattern, text } from "./field.ts";
import { checkKind } from "./kind.ts";
import { joined, times } from "./words.ts";

export const toolCalled = checkKind({
  reads: "transcript",
  fields: { tool: text(), arguments: orElse(pattern(), null), count: orElse(integer(1), 1) },
  subject: (claim) => joined(claim.tool, claim.arguments),
  sentence: (claim) =>
    `the tool ${claim.tool} is called${argumentsText(claim.arguments)}${claim.count === 1 ? "" : ` at least ${times(claim.count)}`}`,
  holds: "there are at least `count` such calls; `arguments` is a pattern",
  asksForDeed: true,
});

export const toolNotCalled = checkKind({
  reads: "transcript",
  fields: { tool: text(), arguments: orElse(pattern(), null) },
  subject: (claim) => joined(claim.tool, claim.arguments),
  sentence: (claim) => `the tool ${claim.tool} is not called${argumentsText(claim.arguments)}`,
  holds: "there is no such call",
  forbids: true,
});

function argumentsText(pattern: string | null): string {
  return pattern === null ? "" : ` with arguments that match /${pattern}/`;
}
