import { createHash } from "node:crypto";
import { basename, dirname, relative } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Skill } from "../domain/skill.ts";
import type { Case, EvalFile, Suite } from "../domain/suite.ts";
import { fileNameProblem, shortened } from "../lib/file-name.ts";

/** One suite of everything that is said about a skill, with ids that are unique whatever the case of letters. */
export function mergeSuite(name: string, skill: Skill | null, files: readonly EvalFile[]): Suite {
  const taken = new Set<string>();
  const cases = files.flatMap((file) => file.cases.map((one) => withFreeId(one, file, taken)));
  return { name: safeName(name), skill, files, cases };
}

/** Suites name result folders, so of several skills with one name the later ones get their place as a name. */
export function distinctNames(cwd: string): (suite: Suite) => { suite: Suite; note: Diagnostic | null } {
  const taken = new Set<string>();
  return (suite) => {
    const file = suite.skill?.file ?? suite.files[0]?.path ?? "";
    const place = safeName(relative(cwd, suite.skill?.layout === "directory" ? dirname(file) : file));
    let name = suite.name;
    for (let attempt = 1; taken.has(name.toLowerCase()); attempt++) {
      name = attempt === 1 ? place : `${place}-${attempt}`;
    }
    taken.add(name.toLowerCase());
    if (name === suite.name) return { suite, note: null };
    const kind = suite.skill === null ? "set of evals" : "skill";
    const message = `another ${kind} is also called ${suite.name}, so this one is listed as ${name}`;
    const at = { file, line: 1, column: 1 };
    return {
      suite: { ...suite, name },
      note: { severity: "note", code: "load/same-name", message, at, hint: null },
    };
  };
}

/** A name that can be a directory; the name itself wherever possible. */
function safeName(name: string): string {
  if (fileNameProblem(name) === null) return name;
  const safe = name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-").replaceAll(/^[.-]+|[.-]+$/g, "");
  const short = shortened(Array.from(safe).slice(0, 40).join(""), "suite-".length);
  return fileNameProblem(short) === null ? short : `suite-${short}`;
}

/**
 * Trigger cases are set apart by a prefix; a case whose id an earlier file has takes its own file's name in front, or,
 * as the names of Skillet's files are their ids, the name that the file says.
 */
function withFreeId(one: Case, file: EvalFile, taken: Set<string>): Case {
  const own = one.kind === "trigger" && !one.id.startsWith("trigger-") ? `trigger-${one.id}` : one.id;
  const ofFile = basename(file.path).replace(/\.[^.]*$/, "");
  const stem = safeName(file.format === "skillet" ? (one.name ?? ofFile) : ofFile);
  let id = fitting(own);
  for (let attempt = 1; taken.has(id.toLowerCase()); attempt++) {
    id = fitting(attempt === 1 ? `${stem}-${own}` : `${stem}-${own}-${attempt}`);
  }
  taken.add(id.toLowerCase());
  return id === one.id ? one : { ...one, id };
}

/** What a prefix made too long is cut, with a digest of the whole in the place of the rest. */
function fitting(id: string): string {
  if (Buffer.byteLength(id) === Buffer.byteLength(shortened(id, 0))) return id;
  return `${shortened(id, 9)}-${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
}
