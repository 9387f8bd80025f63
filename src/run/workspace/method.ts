import { constants, copyFile, mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";

import { removeTree } from "./remove.ts";

/** How a trial gets its own copy of the project. */
export type StagingMethod = "overlay" | "reflink" | "copy";

export interface StagingCapabilities {
  /** The sandbox mounts overlays. */
  readonly overlay: boolean;
  /** The file system of the run root shares blocks between copies. */
  readonly reflink: boolean;
}

/** The fastest that works here: nothing is copied, blocks are shared, everything is copied. */
export function chooseMethod(capabilities: StagingCapabilities): StagingMethod {
  if (capabilities.overlay) return "overlay";
  return capabilities.reflink ? "reflink" : "copy";
}

/** Tries it with one small file. */
export async function supportsReflink(root: string): Promise<boolean> {
  const probe = await mkdtemp(path.join(root, "reflink-"));
  try {
    await writeFile(path.join(probe, "from"), "x".repeat(8192));
    await copyFile(path.join(probe, "from"), path.join(probe, "to"), constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    await removeTree(probe);
  }
}
