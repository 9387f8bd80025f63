import { UserError } from "../../domain/user-error.ts";
import type { Survey } from "../survey.ts";
import { tempFolderProblem } from "../temp-folder.ts";
import { failedBy, type Finding, noted, ok, skipped } from "./finding.ts";

/** Is there a sandbox of that name that works here? */
export async function sandboxFinding(
  name: string,
  { sandbox: find }: Pick<Survey, "sandbox">,
): Promise<Finding> {
  if (tempFolderProblem() !== null)
    return skipped("sandbox", "The sandbox cannot be tried without a folder for temporary files.");
  try {
    const found = await find(name);
    if (found.note === null) return ok("sandbox", `The sandbox is ${found.name}.`);
    return noted("sandbox", `${found.note}.`, "on Debian and Ubuntu: apt install bubblewrap");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failedBy("sandbox", error, "choose --sandbox auto");
  }
}
