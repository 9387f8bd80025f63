import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TempTree extends AsyncDisposable {
  /** Absolute, without links in it. */
  readonly root: string;
  /** The absolute path of something in it. */
  readonly path: (relative: string) => string;
}

/** A directory with these files by relative path; a text that starts with `->` makes a link to what follows it. */
export async function tempTree(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempTree> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "tree-")));
  for (const [relative, content] of Object.entries(files)) {
    const path = join(root, relative);
    await mkdir(relative.endsWith("/") ? path : dirname(path), { recursive: true });
    if (relative.endsWith("/")) continue;
    if (typeof content === "string" && content.startsWith("->")) await symlink(content.slice(2), path);
    else await writeFile(path, content);
  }
  return {
    root,
    path: (relative) => join(root, relative),
    async [Symbol.asyncDispose]() {
      await chmod(root, 0o700);
      await rm(root, { recursive: true, force: true });
    },
  };
}
