import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";

import { describeEntry } from "../../lib/tree-hash.ts";
import { admit } from "./admit.ts";
import type { BaseOptions } from "./base.ts";
import { barredIn } from "./base.ts";
import { inParallel } from "./layer.ts";
import { type Listing, listProject } from "./project-files.ts";

/** One sha256 for what workspaces would hold of a project, without copying any of it. */
export type ProjectDigest = (
  projectRoot: string | null,
  options: Pick<BaseOptions, "skills" | "hidden" | "include" | "env">,
) => Promise<string>;

/** Lists each project once and reads each file once, however many skills of it are asked about. */
export function projectDigests(): ProjectDigest {
  const listings = new Map<string, Promise<Listing>>();
  const entries = new Map<string, Promise<string | null>>();
  const once = <T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> => {
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
  return async (projectRoot, options) => {
    const hash = createHash("sha256");
    if (projectRoot === null) return hash.digest("hex");
    const root = await realpath(projectRoot);
    const include = options.include ?? [];
    const key = JSON.stringify([root, include]);
    const listing = await once(listings, key, () => listProject(root, options.env, include));
    const admitted = await admit(root, listing, await barredIn(root, options));
    const files = [...admitted.entries]
      .filter(([, kind]) => kind !== "directory")
      .map(([relative]) => relative)
      .toSorted();
    const described = new Map<string, string | null>();
    await inParallel(files, async (relative) => {
      const file = path.join(root, relative);
      // What is gone or cannot be read is left out of workspaces too.
      described.set(relative, await once(entries, file, () => describeEntry(file).catch(() => null)));
    });
    for (const relative of files) hash.update(`${described.get(relative) ?? "none"}\0${relative}\0`);
    return hash.digest("hex");
  };
}
