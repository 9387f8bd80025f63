import { copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const RESULTS = new Set(["grading", "timing", "benchmark", "metrics", "comparison"]);

/** Copies every result file to where it was published, one project for each version of it. Answers the workspaces with their files. */
export async function publishedWorkspaces(
  corpus: string,
  root: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [, ...rows] = (await readFile(join(corpus, "INDEX.tsv"), "utf8")).trim().split("\n");
  const workspaces = new Map<string, string[]>();
  for (const row of rows) {
    const [format = "", file = "", repo = "", path = ""] = row.split("\t");
    if (!RESULTS.has(format)) continue;
    const version = /@([0-9a-f]{6,})\.json$/.exec(file)?.[1] ?? "head";
    const target = join(root, version, repo, path);
    await mkdir(dirname(target), { recursive: true });
    const copied = await copyFile(join(corpus, format, file), target).then(
      () => true,
      () => false,
    );
    const [workspace = dirname(path)] = /^.*?(?:^|\/)iteration-\d+[^/]*(?=\/)/.exec(path) ?? [];
    const at = join(root, version, repo, workspace);
    if (copied) workspaces.set(at, [...(workspaces.get(at) ?? []), path]);
  }
  return workspaces;
}
