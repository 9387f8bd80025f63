import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FileArea, FileDiffPage, FileKind, FileTextPage, RunFile } from "../../domain/run-pages.ts";
import { officeText } from "../../lib/office-text/office-text.ts";
import { staysIn } from "../../lib/stays-in.ts";
import { outputPath } from "../../run/workspace/capture.ts";
import { changeDiff, outputsOf } from "../shared/kept-run.ts";
import { notFound, type ViewedRun } from "./stored.ts";

/** A file of a run that can be read. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly bytes: number;
}

interface Named {
  readonly area: FileArea;
  readonly path: string;
}

/** Every file that was kept of a run, and those that were not. */
export async function runFiles({ finished, one, files }: ViewedRun): Promise<readonly RunFile[]> {
  const changed = finished.run.changes.map(({ path, bytes, change, captured }): RunFile => {
    const kept = captured && change !== "deleted";
    return { area: "outputs", path, bytes, shows: kindOf(path), change, kept };
  });
  const touched = new Map(changed.map((file) => [file.path, file.change]));
  const beside = await Promise.all(
    (["inputs", "before"] as const).map(async (area) =>
      (await namesBelow(files[area])).map(({ path, bytes }): RunFile => ({
        area,
        path,
        bytes,
        shows: kindOf(path),
        change: area === "before" ? (touched.get(path) ?? null) : null,
        kept: true,
      })),
    ),
  );
  return [...(one === undefined ? [] : changed), ...beside.flat()];
}

/** Opens what `runFiles` lists and nothing else; a link is not followed, wherever it leads. */
export async function openRunFile(found: ViewedRun, { area, path }: Named): Promise<OpenedFile> {
  const listed = (await runFiles(found)).find((file) => file.area === area && file.path === path);
  if (listed?.kept !== true) throw notFound(`the run has no file ${JSON.stringify(path)} that was kept`);
  return openWithin(found.files.root, placeOf(found, { area, path }));
}

/** Refuses what is no plain file, or lies elsewhere once links on the way are followed. */
export async function openWithin(root: string, path: string): Promise<OpenedFile> {
  const refused = () => notFound("the file does not exist, or is not a regular file");
  const seen = await lstat(path).catch(() => null);
  if (seen?.isFile() !== true || !staysIn(root, path)) throw refused();
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => {
    throw refused();
  });
  const { size, ino } = await handle.stat();
  if (ino !== seen.ino) {
    await handle.close();
    throw refused();
  }
  return { handle, bytes: size };
}

function placeOf({ one, files }: ViewedRun, { area, path }: Named): string {
  return area === "outputs" ? join(outputsOf(one, files), outputPath(path)) : join(files[area], path);
}

export async function fileTextPage(found: ViewedRun, named: Named): Promise<FileTextPage> {
  const { handle, bytes } = await openRunFile(found, named);
  const page = { area: named.area, path: named.path };
  try {
    const content = Buffer.alloc(Math.min(bytes, MOST_TEXT_BYTES));
    const { bytesRead } = await handle.read(content, 0, content.length, 0);
    const whole = content.subarray(0, bytesRead);
    if (DOCUMENTS.has(kindOf(named.path))) {
      const read = await officeText(whole);
      if (read?.status === "text")
        return { ...page, text: read.text, problem: read.cut ? "there is more of it" : null };
      return { ...page, text: null, problem: read === null ? "it is not what its name says" : read.reason };
    }
    if (whole.includes(0)) return { ...page, text: null, problem: "it is not text" };
    const problem = bytes > MOST_TEXT_BYTES ? `only the first ${MOST_TEXT_BYTES} of ${bytes} bytes` : null;
    return { ...page, text: whole.toString("utf8"), problem };
  } finally {
    await handle.close();
  }
}

/** A browser shows more than this only with trouble; the download has all of it. */
const MOST_TEXT_BYTES = 16 * 1024 * 1024;

/** More than is kept of any file, so that no diff is cut. */
const MOST_DIFF_BYTES = 64 * 1024 * 1024;

export async function fileDiffPage(found: ViewedRun, path: string): Promise<FileDiffPage> {
  const change = found.finished.run.changes.find((one) => one.path === path);
  if (change === undefined) throw notFound(`the run did not touch ${JSON.stringify(path)}`);
  const patch = await changeDiff(change, { ...found, mostBytes: MOST_DIFF_BYTES });
  return {
    path,
    patch: patch ?? "",
    problem: patch === null ? "one side was not kept, or is not text" : null,
  };
}

async function namesBelow(
  root: string,
): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.toSorted().map(async (path) => ({
      path: path.slice(root.length + 1).replaceAll("\\", "/"),
      bytes: (await lstat(path).catch(() => null))?.size ?? 0,
    })),
  );
  return found;
}

/** By the end of its name. */
function kindOf(path: string): FileKind {
  const end = extname(path).slice(1).toLowerCase();
  return KINDS.get(end) ?? (CODE.has(end) ? "code" : TEXT.has(end) || end === "" ? "text" : "other");
}

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["json", "json"],
  ["csv", "table"],
  ["tsv", "table"],
  ["html", "html"],
  ["htm", "html"],
  ["pdf", "pdf"],
  ...["png", "jpg", "jpeg", "gif", "webp", "svg"].map((end) => [end, "image"] as const),
  ...["xlsx", "docx", "pptx"].map((end) => [end, "document"] as const),
]);

const DOCUMENTS: ReadonlySet<FileKind> = new Set(["document", "pdf"]);

const CODE = new Set(
  "py js mjs cjs ts tsx jsx yaml yml xml css sh bash rb go rs java c cc cpp h hpp sql r toml php swift kt lua pl diff patch".split(
    " ",
  ),
);
const TEXT = new Set(["txt", "log", "jsonl", "ini", "cfg", "conf", "env", "rst", "tex"]);
