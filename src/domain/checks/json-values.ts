import { anyText, expectation, type JsonExpectation, orElse, path, spelled } from "./field.ts";
import { checkKind } from "./kind.ts";
import { joined } from "./words.ts";

/** The last JSON block of the final message; `path` empty means the whole block. */
export const finalJson = checkKind({
  reads: "output",
  fields: { path: spelled("at", orElse(anyText(), "")), expected: expectation() },
  subject: (claim) => claim.path,
  sentence: (claim) => `the final JSON ${expectationText(claim.path, claim.expected)}`,
  holds: "in the last JSON block of the final message, the value at `a.b[0]` is there, equal, or matches",
});

/** `path` is no glob. */
export const fileJson = checkKind({
  reads: "files",
  fields: { path: path(), at: orElse(anyText(), ""), expected: expectation() },
  subject: (claim) => joined(claim.path, claim.at),
  sentence: (claim) => `the JSON file ${claim.path} ${expectationText(claim.at, claim.expected)}`,
  holds: "in the file, the value at `a.b[0]` is there, equal, or matches",
});

function expectationText(at: string, expected: JsonExpectation): string {
  const place = at === "" ? "" : ` at ${at}`;
  switch (expected.kind) {
    case "present":
      return at === "" ? "is there" : `has a value${place}`;
    case "equals":
      return `equals ${JSON.stringify(expected.value)}${place}`;
    case "matches":
      return `matches /${expected.pattern}/${place}`;
  }
}
