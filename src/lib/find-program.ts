import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";

/** Absolute path of an executable, looked up as a shell would in `searchPath`; null when there is none. */
export async function findProgram(name: string, searchPath: string, cwd: string): Promise<string | null> {
  if (name.includes("/")) return (await isExecutable(resolve(cwd, name))) ? resolve(cwd, name) : null;
  for (const folder of searchPath.split(delimiter)) {
    const candidate = resolve(folder, name);
    if (isAbsolute(folder) && (await isExecutable(candidate))) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
