import { execFile } from "node:child_process";

import { type Overlay, systemProgram, withOverlay } from "../process/namespace.ts";
import { parentOf } from "./layer.ts";
import { originalAt } from "./originals.ts";
import type { Staged } from "./stage.ts";

/**
 * What stood directly in these directories and is no longer to be seen there. A directory that was deleted and made
 * anew bears a mark that node cannot read, so the overlay is mounted once more and looked at. Null when that fails.
 */
export async function missingFrom(
  staged: Staged,
  directories: readonly string[],
): Promise<readonly string[] | null> {
  const { workspace } = staged.ground;
  const originals = originalsIn(staged, new Set(directories));
  if (originals.length === 0 || workspace.kind !== "overlay") return [];
  const asked = [...new Set(originals.map(parentOf))];
  const seen = await listMounted(workspace, asked);
  return seen === null ? null : originals.filter((relative) => !seen.has(relative));
}

function originalsIn(staged: Staged, directories: ReadonlySet<string>): readonly string[] {
  if (directories.size === 0) return [];
  const found = new Set<string>();
  for (const entries of [staged.layer.entries, staged.base.entries]) {
    for (const relative of entries.keys()) {
      if (directories.has(parentOf(relative)) && originalAt(staged, relative) !== null) found.add(relative);
    }
  }
  return [...found];
}

function listMounted(overlay: Overlay, directories: readonly string[]): Promise<ReadonlySet<string> | null> {
  const [sh, mount, unshare] = [systemProgram("sh"), systemProgram("mount"), systemProgram("unshare")];
  if (sh === null || mount === null || unshare === null) return Promise.resolve(null);
  const inside = { program: sh, args: ["-c", LIST, "sh", overlay.mountPoint], cwd: "/", env: {}, stdin: "" };
  const { program, args } = withOverlay(inside, overlay, { sh, mount, unshare });
  return new Promise((resolve) => {
    const options = { env: { PATH: "/usr/bin:/bin:/usr/local/bin" }, maxBuffer: 2 ** 30 };
    const child = execFile(program, args, options, (error, stdout) => {
      const seen = stdout.split("\0").map((line) => line.slice("./".length));
      resolve(error === null ? new Set(seen) : null);
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(directories.map((directory) => `./${directory}\0`).join(""));
  });
}

const LIST = `cd "$1" && exec xargs -0 sh -c 'find "$@" -mindepth 1 -maxdepth 1 -print0' sh`;
