import { basename, dirname, join } from "node:path";
import { type DirectoryListing, listDirectory, walk } from "./directory.ts";
import type { FoundFile } from "./eval-files.ts";

/** The file that makes a folder one case: `prompt.md` or `case.yaml` with graders, `criteria.json` with a task; null: it is none. */
export function caseFileIn(
  { directory, files, directories }: DirectoryListing,
  { ofPlugin = false }: { readonly ofPlugin?: boolean } = {},
): Pick<FoundFile, "path" | "expected"> | null {
  const prompt = files.find((name) => name.toLowerCase() === "prompt.md");
  const yaml = files.find((name) => /^case\.ya?ml$/i.test(name));
  const isGraded = directories.includes("graders") || yaml !== undefined || ofPlugin;
  if (prompt !== undefined && isGraded) return { path: join(directory, prompt), expected: "claude-plugin" };
  if (yaml !== undefined) return { path: join(directory, yaml), expected: "claude-plugin" };
  return files.includes("criteria.json") && files.includes("task.md")
    ? { path: join(directory, "criteria.json"), expected: "tessl" }
    : null;
}

/** What cases stage, and what runs of them left: no cases are there. */
const NOT_CASES = new Set(["results", "mocks", "graders", "fixtures", "setup", "files"]);

const MAX_DEPTH = 4;

/** The cases that are folders of their own below an evals directory, or that it is itself. */
export async function caseFilesBelow(directory: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const ofPlugin = await isPluginEvals(directory);
  await walk(directory, {
    report: () => undefined,
    maxDepth: MAX_DEPTH,
    visit(listing) {
      if (listing.directory !== directory && NOT_CASES.has(basename(listing.directory))) return false;
      const file = caseFileIn(listing, { ofPlugin: ofPlugin && listing.directory !== directory });
      if (file === null) return true;
      const evalsDirectory = listing.directory === directory ? dirname(directory) : directory;
      found.push({ ...file, evalsDirectory, optional: false, isNamed: false });
      return false;
    },
  });
  return found;
}

/** There, a prompt without graders is a case that lacks them. */
async function isPluginEvals(directory: string): Promise<boolean> {
  if (basename(directory) !== "evals") return false;
  const { files } = await listDirectory(join(directory, "..", ".claude-plugin"), () => undefined);
  return files.includes("plugin.json");
}
