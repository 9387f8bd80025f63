import { lstat, mkdir } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../../domain/user-error.ts";

/** Makes a folder for what a step leaves behind. A change may bring links on the way there, which would lead elsewhere. */
export async function makeOwnFolder(path: string, cwd: string): Promise<void> {
  const way = relative(cwd, path);
  const isBelow = !isAbsolute(way) && !way.startsWith("..");
  let at = cwd;
  for (const name of isBelow ? way.split(sep) : []) {
    at = join(at, name);
    if ((await lstat(at).catch(() => null))?.isSymbolicLink())
      throw new UserError("ci/linked-folder", `${way} leads through a link (${relative(cwd, at)})`, {
        hint: "remove the link, or name another folder with --out",
      });
  }
  await mkdir(path, { recursive: true });
}
