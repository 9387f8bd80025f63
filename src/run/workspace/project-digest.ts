import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";

import { memo } from "../../lib/memo.ts";
import { describeEntry, linkTo, short } from "../../lib/tree-hash.ts";
import { admit } from "./admit.ts";
import type { BaseOptions } from "./base.ts";
import { barredIn } from "./base.ts";
import { inParallel } from "./layer.ts";
import type { ListProject } from "./project-files.ts";

/** What workspaces would hold of a project. */
export interface ProjectState {
  /** One sha256 for all of it. */
  readonly digest: string;
  /** A short digest of each file, by relative path. */
  readonly files: Readonly<Record<string, string>>;
}

const NO_PROJECT: ProjectState = { digest: createHash("sha256").digest("hex"), files: {} };

/** Looks without copying anything. */
export type ProjectDigest = (
  projectRoot: string | null,
  options: Pick<BaseOptions, "skills" | "hidden">,
) => Promise<ProjectState>;

/** Reads each file once, however many skills of a project are asked about. Rejects with the signal's reason once it fires. */
export function projectDigests(list: ListProject, signal: AbortSignal): ProjectDigest {
  // What is gone or cannot be read is left out of workspaces too.
  const describeOnce = memo((file: string) => describeEntry(file, signal).catch(() => null));
  return async (projectRoot, options) => {
    if (projectRoot === null) return NO_PROJECT;
    const hash = createHash("sha256");
    const root = await realpath(projectRoot);
    const admitted = await admit(root, await list(root), await barredIn(root, options));
    const files = [...admitted.entries]
      .filter(([, kind]) => kind !== "directory")
      .map(([relative]) => relative)
      .toSorted();
    const described = new Map<string, string | null>();
    await inParallel(files, async (relative) => {
      described.set(relative, await describeOnce(path.join(root, relative)));
      signal.throwIfAborted();
    });
    const shortened: Record<string, string> = {};
    for (const relative of files) {
      const target = admitted.links.get(relative);
      // As it would be staged: an absolute link into the project says where the project lies.
      const content = target === undefined ? (described.get(relative) ?? "none") : linkTo(target);
      hash.update(`${content}\0${relative}\0`);
      shortened[relative] = short(content);
    }
    return { digest: hash.digest("hex"), files: shortened };
  };
}
