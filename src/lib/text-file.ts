import { readFileSync, statSync } from "node:fs";

/** The text of a file, or why it cannot be had. */
export type TextFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly hint: string | null };

/**
 * UTF-8 text without its byte order mark. Never throws. The calls in it are synchronous: for small files that is
 * several times faster than handing each to a thread, which counts when thousands are read.
 */
export function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  return Promise.resolve(readNow(path, maxBytes));
}

function readNow(path: string, maxBytes: number): TextFile {
  let bytes: Buffer;
  try {
    const found = statSync(path);
    if (found.isDirectory()) return refuse("unreadable", "cannot be read: it is a directory");
    if (!found.isFile()) return refuse("unreadable", "cannot be read: it is not a regular file");
    const { size } = found;
    if (size > maxBytes) {
      return refuse(
        "too-large",
        `the file is ${megabytes(size)} MB; at most ${megabytes(maxBytes)} MB are read`,
      );
    }
    bytes = readFileSync(path);
  } catch (error) {
    return refuse("unreadable", `cannot be read: ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  }
  if (isUtf16(bytes)) {
    return refuse("utf-16", "the file is UTF-16", "save it as UTF-8");
  }
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return refuse("not-utf-8", "the file is not valid UTF-8", "save it as UTF-8");
  }
}

/** By its byte order mark, or by half a first character that is zero. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return false;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return (first === 0) !== (second === 0);
}

function refuse(code: string, message: string, hint: string | null = null): TextFile {
  return { ok: false, code, message, hint };
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, "");
}

/** Why a file cannot be read, in plain words. */
export function whyUnreadable(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ELOOP":
      return "its symlinks form a loop";
    default:
      return error.message;
  }
}
