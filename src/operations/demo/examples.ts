import { UserError } from "../../domain/user-error.ts";

/** One example skill, and what is done with it. */
export interface Example {
  readonly name: string;
  /** Whose eval format it has. */
  readonly format: string;
  readonly operation: "evaluate" | "bench";
}

const EXAMPLES: readonly Example[] = [
  { name: "csv-report", format: "skill-creator", operation: "evaluate" },
  { name: "release-notes", format: "clauditor", operation: "evaluate" },
  { name: "conventional-comments", format: "Skillet", operation: "evaluate" },
  { name: "decision-record", format: "BMad", operation: "evaluate" },
  { name: "csv-report", format: "skill-creator", operation: "bench" },
];

/** All, unless some are named. Throws a UserError for a name that is none of theirs. */
export function chooseExamples(names: readonly string[]): readonly Example[] {
  if (names.length === 0) return EXAMPLES;
  const known = [...new Set(EXAMPLES.map(({ name }) => name))];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return EXAMPLES.filter(({ name }) => names.includes(name));
  throw new UserError("demo/unknown-example", `there is no example ${JSON.stringify(unknown)}`, {
    hint: `choose from ${known.join(", ")}`,
  });
}
