import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";

/** Where to make something that will be renamed to `path` when it is whole. */
export function temporaryFor(path: string, folder = dirname(path)): string {
  return join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
}

/** Whether a name came from `temporaryFor`. */
export function isTemporary(name: string): boolean {
  return /^\..+\.[0-9a-f]{12}\.tmp$/.test(name);
}

/** Whether a name came from `temporaryFor` for this path. */
export function isTemporaryFor(name: string, path: string): boolean {
  const own = `.${basename(path)}.`;
  return name.startsWith(own) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(own.length));
}
