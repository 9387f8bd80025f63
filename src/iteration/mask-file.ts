import {
  chmodSync,
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { packedness, secretInside, START_BYTES, type Withholding } from "../lib/packed/secret-inside.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { nameFile } from "../lib/name-file.ts";
import { temporaryFor } from "../lib/temporary-name.ts";

/** Larger files go through a stream. */
const SMALL_BYTES = 256 * 1024;
/** Larger packed files are not looked into, and so not kept. */
const PACKED_BYTES = 64 * 1024 * 1024;

/** Takes the secrets out of a file that a program wrote itself; a file that is not there is fine. */
export async function maskFile(path: string, mask: SecretMask): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return;
  makePlain(path, stats.mode);
  if (stats.size > SMALL_BYTES) await maskLargeFile(path, mask, stats.mode);
  else if (stats.size > 0) maskSmallFile(path, readFileSync(path), mask);
}

async function maskLargeFile(path: string, mask: SecretMask, mode: number): Promise<void> {
  const masked = temporaryFor(path);
  try {
    await pipeline(createReadStream(path), mask.stream(), createWriteStream(masked, { flags: "wx" }));
    chmodSync(masked, plainMode(mode));
    await rename(masked, path);
  } catch (error) {
    throw nameFile(error, path);
  } finally {
    rmSync(masked, { force: true });
  }
}

/** What lies among results runs for nobody else, and can be read by who made them. */
function plainMode(mode: number): number {
  return (mode & 0o777) | 0o600;
}

function makePlain(path: string, mode: number): void {
  if ((mode & 0o7777) !== plainMode(mode)) chmodSync(path, plainMode(mode));
}

/** Text that holds no secret stays as it is, to the byte; so does what is no text and small. */
function maskSmallFile(path: string, bytes: Buffer, mask: SecretMask): void {
  const text = bytes.toString("latin1");
  const masked = mask.bytes(text);
  if (masked === text) return;
  try {
    writeFileSync(path, masked, "latin1");
  } catch (error) {
    throw nameFile(error, path);
  }
}

/** A packed file that is not kept; its path is relative, and as it is called now. */
export interface WithheldFile {
  readonly path: string;
  readonly reason: Withholding;
}

/**
 * The same for every file below a folder, and for the names of all that is there. What is packed with a secret inside cannot be
 * masked, what cannot be looked into may hold one: both are removed.
 */
export async function maskFolder(folder: string, mask: SecretMask): Promise<readonly WithheldFile[]> {
  if (!existsSync(folder)) return [];
  const withheld: WithheldFile[] = [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  if (entries.length === 0) return [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const reason = entry.isFile() ? await maskedOrWithheld(path, mask) : null;
    if (reason === null) continue;
    rmSync(path);
    withheld.push({ path: mask.text(relative(folder, path)), reason });
  }
  maskNames(folder, mask);
  return withheld;
}

/** That a packed file is not among what is kept, for people to know. */
export function withheldText({ path, reason }: WithheldFile, fate = "was not kept"): string {
  return `${path} ${fate}: ${reasonText(reason)}`;
}

function reasonText(reason: Withholding): string {
  if (reason.why === "secret") return "it contains a packed secret";
  if (reason.why === "too-large") return "it unpacks to too much to be searched for secrets";
  return `it is packed (${reason.kind}) and cannot be searched for secrets`;
}

/** Why it is not to be kept, and stays as it is. */
async function maskedOrWithheld(path: string, mask: SecretMask): Promise<Withholding | null> {
  const { mode, size } = lstatSync(path);
  makePlain(path, mode);
  if (size === 0) return null;
  const name = basename(path);
  if (size <= SMALL_BYTES) {
    const bytes = readFileSync(path);
    const reason = secretInside({ name, bytes }, mask);
    if (reason === null) maskSmallFile(path, bytes, mask);
    return reason;
  }
  const kind = packedness(name, startOf(path));
  if (kind === "packed" && size > PACKED_BYTES) return { why: "too-large" };
  const reason =
    kind === "plain" || size > PACKED_BYTES ? null : secretInside({ name, bytes: readFileSync(path) }, mask);
  if (reason === null) await maskLargeFile(path, mask, mode);
  return reason;
}

function startOf(path: string): Buffer {
  const file = openSync(path, "r");
  const start = Buffer.alloc(START_BYTES);
  const length = readSync(file, start, 0, START_BYTES, 0);
  closeSync(file);
  return start.subarray(0, length);
}

/** Deepest first, so that the path to what is renamed still holds. */
function maskNames(folder: string, mask: SecretMask): void {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    const name = mask.text(path);
    if (name === path) continue;
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    if (lstatSync(join(folder, path)).isDirectory()) rmSync(join(folder, path), { recursive: true });
    else renameSync(join(folder, path), target);
  }
}
