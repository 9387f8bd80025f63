import { open, stat } from "node:fs/promises";
import { officeText } from "../../lib/office-text/office-text.ts";
import type { SubjectFile } from "../subject.ts";
import type { Content, Exhibit } from "./block.ts";
import { shownQuoted } from "./shown-name.ts";

/** The files as texts, images or things that cannot be shown: what the agent made, what it was given, what it changed as it was. */
export async function fileExhibits(
  files: readonly SubjectFile[],
  options: { readonly images: boolean },
): Promise<readonly Exhibit[]> {
  const made = files.filter((file) => file.origin !== "input");
  const inputs = files.filter((file) => file.origin === "input");
  const exhibits: Exhibit[] = [];
  const left = { bytes: MOST_BYTES, images: options.images ? MOST_IMAGES : 0 };
  for (const [index, file] of [...made, ...inputs].entries()) {
    const content = index < MOST_FILES ? await contentOf(file, left) : unreadable("too many files");
    exhibits.push({
      label: `file ${index + 1}`,
      title: shownQuoted(file.path),
      source: { kind: "file", path: file.path, line: null },
      room: file.origin === "input" ? "inputs" : "made",
      given: file.origin === "input",
      content,
    });
  }
  for (const { path, before } of made) {
    if (before === undefined) continue;
    const bytes = await stat(before).then(
      ({ size }) => size,
      () => 0,
    );
    const earlier = { path, origin: "input", stored: before, bytes, sha256: null } as const;
    exhibits.push({
      label: `file ${exhibits.length + 1}`,
      title: `${shownQuoted(path)} before the run changed it`,
      source: { kind: "file", path, line: null },
      room: "inputs",
      given: true,
      content: await contentOf(earlier, left),
    });
  }
  return exhibits;
}

const MOST_FILES = 300;
const MOST_BYTES = 64 * 1024 * 1024;
const FILE_BYTES = 8 * 1024 * 1024;
const MOST_IMAGES = 8;
const IMAGE_BYTES = 4 * 1024 * 1024;

async function contentOf(file: SubjectFile, left: { bytes: number; images: number }): Promise<Content> {
  if (file.stored === null) return unreadable("too large to be kept");
  if (left.bytes <= 0) return unreadable("not read: the files are too large together");
  let bytes: Buffer;
  try {
    bytes = await beginning(file.stored, Math.min(FILE_BYTES, left.bytes));
  } catch {
    return unreadable("the stored copy cannot be read");
  }
  left.bytes -= bytes.length;
  const unread = Math.max(0, file.bytes - bytes.length);
  const mediaType = imageType(bytes);
  if (mediaType !== null) {
    if (left.images <= 0 || unread > 0 || bytes.length > IMAGE_BYTES)
      return unreadable("an image, not shown");
    left.images--;
    return { kind: "image", image: { kind: "image", mediaType, base64: bytes.toString("base64") } };
  }
  const office = unread === 0 ? await officeText(bytes) : null;
  if (office?.status === "unreadable") return unreadable(office.reason);
  if (office !== null) return { kind: "text", text: office.text, unread: office.cut ? 1 : 0 };
  const text = decoded(bytes, unread > 0);
  return text === null ? unreadable("binary") : { kind: "text", text, unread };
}

function unreadable(reason: string): Content {
  return { kind: "unreadable", reason };
}

async function beginning(path: string, mostBytes: number): Promise<Buffer> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, mostBytes));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}

/** Null for what is not text. */
function decoded(bytes: Buffer, cut: boolean): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString("utf16le");
  if (bytes.subarray(0, 8192).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}

function imageType(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 12).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF[^]{4}WEBP/.test(start)) return "image/webp";
  return null;
}
