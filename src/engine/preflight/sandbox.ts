import { tmpdir } from "node:os";
import { UserError } from "../../domain/user-error.ts";
import { findSandbox } from "../../run/choose-sandbox.ts";
import { failed, type Finding, noted, ok } from "./finding.ts";

/** Is there a sandbox of that name that works here? */
export async function sandboxFinding(name: string): Promise<Finding> {
  try {
    const found = await findSandbox(name, tmpdir());
    if (found.note === null) return ok("sandbox", `The sandbox is ${found.name}.`);
    return noted("sandbox", `${found.note}.`, "on Debian and Ubuntu: apt install bubblewrap");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failed("sandbox", error.message, error.hint ?? "choose --sandbox auto");
  }
}
