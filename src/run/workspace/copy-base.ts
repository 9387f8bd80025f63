import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";

import type { Base } from "./base.ts";
import { Layer } from "./layer.ts";
import { removeTree } from "./remove.ts";

/**
 * Copies the base to `at`, an empty directory. A program of the system does it while the runner does other things;
 * where there is none that can, the runner does.
 */
export async function copyBase(base: Base, at: string, program = "cp"): Promise<Layer> {
  const args = ["-a", "--reflink=auto", `${base.directory}/.`, at];
  const copied = await new Promise<boolean>((resolve) => {
    execFile(program, args, { env: { PATH: "/usr/bin:/bin" } }, (error) => resolve(error === null));
  });
  if (copied) return new Layer(at, new Map([...base.entries, ...(base.repository ?? [])]));
  await removeTree(at);
  await mkdir(at);
  const workspace = new Layer(at);
  await workspace.copy(base.directory, base.entries);
  if (base.repository !== null) await workspace.copy(base.directory, base.repository);
  return workspace;
}
