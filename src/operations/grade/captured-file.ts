import { stat } from "node:fs/promises";
import { UserError } from "../../domain/user-error.ts";
import type { CapturedOutput } from "../../grade/captured-subject.ts";

/** A text file that somebody captured; `path` is absolute. */
export async function capturedFile(path: string): Promise<CapturedOutput> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) return { path, bytes: found.size };
  throw new UserError("grade/no-output", `${path} is not a file that can be read`, {
    hint: "pass a text file with the output of the skill; assay capture makes one",
  });
}
