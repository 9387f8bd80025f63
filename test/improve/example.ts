import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "fixtures");

export const fixture = (...parts: readonly string[]): string => join(FIXTURES, ...parts);

/** Rounds on decision-record, as `fixtures/decision-record.model.yaml` plays them; the seed does not hold A3 out. */
export const DECISION_ROUNDS = {
  script: fixture("decision-record.model.yaml"),
  suite: "decision-record",
  skill: "skills/decision-record/SKILL.md",
  args: [
    "improve",
    "skills/decision-record",
    "--harness",
    "builtin",
    "--seed",
    "2",
    "--runs",
    "1",
    "--rounds",
    "3",
  ],
} as const;
