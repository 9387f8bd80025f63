import { BUILT_IN_PARTS, GRADING_PROVIDERS, type Part } from "../operations/parts.ts";

const { harnesses, sandboxes, judges } = BUILT_IN_PARTS;

/** Help for options that choose a part, made from the lists of parts. */
export const PARTS_HELP = {
  harnesses: `agent to run: ${choices(harnesses)}; comma-separated for several`,
  sandbox: `where agents run: ${choices(sandboxes)}`,
  gradingProvider: `who judges: ${[...GRADING_PROVIDERS, "auto"].join(", ")}, or one of your own`,
  transport: `how the judge is reached: ${choices(judges)}`,
} as const;

function choices(parts: readonly Part[]): string {
  return namesOf(parts).join(", ");
}

/** What an option that chooses a part takes. */
export function namesOf(parts: readonly Part[]): readonly string[] {
  return ["auto", ...parts.map(({ name }) => name)];
}
