import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own in memory; gone with its scope. */
export interface Mounted extends Disposable {
  readonly root: string;
  remount(options: string): void;
}

/** Null where mounting is not allowed: only root may, and not in every container. */
export function mounted(options: string): Mounted | null {
  const root = mkdtempSync(join(tmpdir(), "mounted-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", root], { stdio: "ignore" });
  } catch {
    rmSync(root, { recursive: true });
    return null;
  }
  return {
    root,
    remount: (changed) => void execFileSync("mount", ["-o", `remount,${changed}`, root]),
    [Symbol.dispose]() {
      execFileSync("umount", ["-l", root]);
      rmSync(root, { recursive: true });
    },
  };
}
