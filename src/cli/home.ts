import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { UserError } from "../domain/user-error.ts";

/** Logins, settings and caches lie in it, so it must be known. */
export function homeOf({ HOME }: Readonly<Record<string, string | undefined>>): string {
  const home = HOME || accountHome();
  if (isAbsolute(home)) return home;
  const problem =
    home === "" ? "HOME is not set" : `HOME is ${JSON.stringify(home)}, which is not an absolute path`;
  throw new UserError("machine/no-home", problem, {
    hint: "set HOME to the absolute path of a folder of yours",
  });
}

/** "" where the account has none, as with a user that a container made up. */
function accountHome(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}
