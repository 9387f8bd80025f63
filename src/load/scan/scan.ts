import { closeSync, openSync, readSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import type { Diagnostic, Location } from "../../domain/diagnostic.ts";
import { positions } from "../../lib/document/position.ts";
import { readTextFile } from "../../lib/text-file.ts";
import { entriesOf } from "../directory.ts";
import type { SkillDocument } from "../skill.ts";
import { commandHits } from "./command-text.ts";
import { credentialHits } from "./credentials.ts";
import { hiddenTextHits } from "./hidden-text.ts";
import type { FileRole, ScanHit } from "./hit.ts";
import { instructionHits } from "./instructions.ts";
import { linkHit } from "./links.ts";
import { scanRule } from "./rules.ts";

/**
 * Looks through every file that agents get with the skill for what its user should know before it runs. Reads and runs
 * nothing else. All findings are notes; `scanRule(code).risk` says how bad they are.
 */
export async function scanSkill(document: SkillDocument): Promise<readonly Diagnostic[]> {
  const { skill, text, at } = document;
  const own = [...textHits(text, "instructions"), ...instructionHits(document)];
  const found = diagnosticsOf(own, at);
  if (skill.layout === "command") return found;
  const { files, isWhole } = filesOf(skill.root);
  for (const file of files) if (file !== skill.file) found.push(...(await scanFile(file, skill.root)));
  if (!isWhole)
    found.push(notScanned(skill.root, `it has more than ${MOST_FILES} files; the rest was not scanned`));
  return found;
}

const MOST_FILES = 2000;
const MOST_BYTES = 1024 * 1024;
const MOST_PER_CODE = 10;

/** What is to be said about a text, whatever file it is in. */
export function textHits(text: string, role: FileRole): ScanHit[] {
  return [...hiddenTextHits(text), ...commandHits(text, role), ...credentialHits(text, role)];
}

async function scanFile(file: string, root: string): Promise<readonly Diagnostic[]> {
  const name = file.slice(file.lastIndexOf(sep) + 1);
  const start: Location = { file, line: 1, column: 1 };
  const link = linkHit(file, root);
  const named = diagnosticsOf([...hiddenTextHits(name), ...(link === null ? [] : [link])], () => start);
  if (link !== null) return named;
  const head = headOf(file);
  if (head === null) return named;
  if (isProgram(head))
    return [
      ...named,
      diagnostic("security/binary-program", "a compiled program, which nobody can read", start),
    ];
  if (head.includes(0)) return named;
  const read = await readTextFile(file, MOST_BYTES);
  if (!read.ok)
    return read.code === "too-large"
      ? [...named, notScanned(file, `${read.message}, so it was not scanned`)]
      : named;
  const position = positions(read.text);
  const hits = textHits(read.text, roleOf(file, head));
  return [...named, ...diagnosticsOf(hits, (offset) => ({ file, ...position(offset) }))];
}

function roleOf(file: string, head: Buffer): FileRole {
  if (SCRIPTS.has(extname(file).toLowerCase()) || head.subarray(0, 2).toString("latin1") === "#!")
    return "script";
  return /\.(?:md|mdx|txt)$/i.test(file) ? "instructions" : "other";
}

const SCRIPTS = new Set(
  ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .php .lua .ps1 .bat .cmd .go .rs .command".split(
    " ",
  ),
);

/** ELF, Windows and Mach-O. */
function isProgram(head: Buffer): boolean {
  const magic = head.subarray(0, 4).toString("hex");
  return (
    magic === "7f454c46" || magic.startsWith("4d5a90") || /^(?:feedfac[ef]|c[ef]faedfe|cafebabe)$/.test(magic)
  );
}

/** Null for what is no file, or cannot be read. */
function headOf(file: string): Buffer | null {
  try {
    if (!statSync(file).isFile()) return null;
    const handle = openSync(file, "r");
    try {
      const head = Buffer.alloc(4096);
      return head.subarray(0, readSync(handle, head));
    } finally {
      closeSync(handle);
    }
  } catch {
    return null;
  }
}

/** What is staged with the skill: its evals are not, nor history, packages and results. */
function filesOf(root: string): { readonly files: readonly string[]; readonly isWhole: boolean } {
  const files: string[] = [];
  const walk = (directory: string): boolean => {
    const entries = entriesOf(directory, () => {}).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (NEVER_STAGED.has(entry.name) || entry.name.endsWith(".eval.json")) continue;
      if (entry.isDirectory()) {
        if (relative(root, path) !== "evals" && !walk(path)) return false;
      } else if (files.length >= MOST_FILES) return false;
      else files.push(path);
    }
    return true;
  };
  return { isWhole: walk(root), files };
}

const NEVER_STAGED = new Set([".git", "node_modules", ".assay", ".clauditor"]);

/** One finding of a kind for a line, and not too many for a file. */
export function diagnosticsOf(hits: readonly ScanHit[], at: (offset: number) => Location): Diagnostic[] {
  const said = new Map<string, number>();
  const lines = new Set<string>();
  const found: Diagnostic[] = [];
  for (const { code, offset, message } of hits) {
    const place = at(offset);
    const line = `${code}:${place.line}`;
    const count = said.get(code) ?? 0;
    if (lines.has(line) || count >= MOST_PER_CODE) continue;
    lines.add(line);
    said.set(code, count + 1);
    found.push(diagnostic(code, message, place));
  }
  return found;
}

function notScanned(file: string, message: string): Diagnostic {
  return diagnostic("security/not-scanned", message, { file, line: 1, column: 1 });
}

function diagnostic(code: ScanHit["code"], message: string, at: Location): Diagnostic {
  const rule = scanRule(code);
  return {
    severity: "note",
    code,
    message: `${rule?.risk ?? "high"} risk: ${message}`,
    at,
    hint: rule?.fix ?? null,
  };
}
