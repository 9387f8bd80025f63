import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { kindOf } from "../../domain/checks/index.ts";
import type { Case } from "../../domain/suite.ts";
import { capturedSubject } from "../../grade/captured-subject.ts";
import { gradeRun } from "../../grade/grade.ts";
import { codeGraders } from "../../grade/graders/index.ts";
import type { Subject, SubjectFile } from "../../grade/subject.ts";
import type { SafeRegex } from "../../lib/safe-regex/safe-regex.ts";

/** The checks of code that hold on a run that did nothing and do not forbid anything: they cannot fail. */
export async function heldByNothing(
  one: Case,
  { folder, regex, now }: { folder: string; regex: SafeRegex; now: () => Date },
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const checks = one.checks.filter(({ layer }) => layer === "L1");
  const graders = codeGraders({ regex, network: "off" });
  const subject = await nothingDone({ ...one, checks }, folder);
  const { verdicts } = await gradeRun(subject, { graders, now }, signal);
  const held = new Set(verdicts.filter(({ status }) => status === "passed").map(({ checkId }) => checkId));
  const cannotFail = checks.filter((check) => held.has(check.id) && !kindOf(check).forbids(check));
  return new Set(cannotFail.map(({ id }) => id));
}

/** A run that ended without a word and left the staged files as they were. */
async function nothingDone(one: Case, folder: string): Promise<Subject> {
  const path = join(folder, "nothing.txt");
  await writeFile(path, "");
  const { only: _, ...subject } = capturedSubject(one, { path, bytes: 0 }, { skill: null, now: new Date(0) });
  const files = await Promise.all(
    one.files.map((file, index) => staged(file, join(folder, `staged-${index}`))),
  );
  return { ...subject, files };
}

async function staged(file: Case["files"][number], path: string): Promise<SubjectFile> {
  const content = file.kind === "inline" ? file.content : "";
  await writeFile(path, content);
  const stored = file.kind === "inline" ? path : file.source;
  return { path: file.target, origin: "input", stored, bytes: Buffer.byteLength(content), sha256: null };
}
