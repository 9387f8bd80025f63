import { UserError } from "../domain/user-error.ts";
import { thrownWords } from "../lib/thrown-words.ts";
import { within } from "../lib/within.ts";

/** Has a part of the user's configuration make something; what it throws is told as that part's failure. */
export function fromPlugin<T>(part: PluginPart, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw pluginFailure(part, error);
  }
}

/** The same for what takes time: no longer than a minute, and not beyond the signal. */
export async function fromPluginLater<T>(
  part: PluginPart,
  make: () => T | PromiseLike<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await within(make, { limitMs: OPENING_MS, ...(signal && { signal }) });
  } catch (error) {
    throw pluginFailure(part, error);
  }
}

/** How long a plug-in may take over what comes before any trial. */
const OPENING_MS = 60_000;

export interface PluginPart {
  readonly kind: "harness" | "grader" | "judge" | "reporter" | "format";
  readonly name: string;
}

function pluginFailure({ kind, name }: PluginPart, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const message = `the ${kind} ${name} in your configuration failed: ${thrownWords(error)}`;
  return new UserError("config/plugin-failed", message, {
    hint: `assay/contracts has a suite for every ${kind}; docs/extend/${kind}.md shows how to run it`,
    cause: error,
  });
}
