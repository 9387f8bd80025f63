import { UserError } from "../domain/user-error.ts";

/** Has a part of the user's configuration make something; what it throws is told as that part's failure. */
export function fromPlugin<T>(part: PluginPart, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw pluginFailure(part, error);
  }
}

/** The same for what takes time. */
export async function fromPluginLater<T>(part: PluginPart, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw pluginFailure(part, error);
  }
}

export interface PluginPart {
  readonly kind: "harness" | "grader" | "judge" | "reporter" | "format";
  readonly name: string;
}

function pluginFailure({ kind, name }: PluginPart, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new UserError("config/plugin-failed", `the ${kind} ${name} of your configuration failed: ${words}`, {
    hint: `assay/contracts has a suite for every ${kind}; docs/extend/${kind}.md shows how to run it`,
    cause: error,
  });
}
