import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";

import { describeEntry } from "../../lib/tree-hash.ts";
import { admit } from "./admit.ts";
import type { BaseOptions } from "./base.ts";
import { barredIn } from "./base.ts";
import { inParallel } from "./layer.ts";
import type { ListProject } from "./project-files.ts";

/** One sha256 for what workspaces would hold of a project, without copying any of it. */
export type ProjectDigest = (
  projectRoot: string | null,
  options: Pick<BaseOptions, "skills" | "hidden">,
) => Promise<string>;

/** Reads each file once, however many skills of a project are asked about. */
export function projectDigests(list: ListProject): ProjectDigest {
  const entries = new Map<string, Promise<string | null>>();
  const describeOnce = (file: string): Promise<string | null> => {
    // What is gone or cannot be read is left out of workspaces too.
    const found = entries.get(file) ?? describeEntry(file).catch(() => null);
    entries.set(file, found);
    return found;
  };
  return async (projectRoot, options) => {
    const hash = createHash("sha256");
    if (projectRoot === null) return hash.digest("hex");
    const root = await realpath(projectRoot);
    const admitted = await admit(root, await list(root), await barredIn(root, options));
    const files = [...admitted.entries]
      .filter(([, kind]) => kind !== "directory")
      .map(([relative]) => relative)
      .toSorted();
    const described = new Map<string, string | null>();
    await inParallel(files, async (relative) => {
      described.set(relative, await describeOnce(path.join(root, relative)));
    });
    for (const relative of files) hash.update(`${described.get(relative) ?? "none"}\0${relative}\0`);
    return hash.digest("hex");
  };
}
