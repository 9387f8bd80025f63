import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, hasErrors } from "../../domain/diagnostic.ts";
import type { Skill } from "../../domain/skill.ts";
import type { EvalFile, FormatName } from "../../domain/suite.ts";
import type { LoadedProposal } from "../../improve/proposal/propose.ts";
import type { Proposal } from "../../improve/proposal/question.ts";
import { readDocument } from "../../load/document.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";

/** Reads a proposal with the loader that will read the file, from a folder of its own. */
export async function loadProposal(
  proposal: Proposal,
  { skill, folder }: { skill: Skill; folder: string },
): Promise<LoadedProposal> {
  const evals = proposal.evals.map((entry, index) => (isObject(entry) ? { id: index + 1, ...entry } : entry));
  const files = [
    { name: "evals.json", text: JSON.stringify({ skill_name: skill.name, evals }, null, 2) },
    ...(proposal.triggers.length === 0
      ? []
      : [{ name: "trigger-eval.json", text: JSON.stringify(proposal.triggers, null, 2) }]),
  ];
  const { loaded, problems } = await loadFiles(files, { skill, folder, format: "skill-creator" });
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, cases: loaded.flatMap(({ cases }) => cases) };
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Every file as its format loads it, with all that is wrong; places are told without the folder. */
export async function loadFiles(
  files: readonly NamedText[],
  { skill, folder, format: name }: { skill: Skill; folder: string; format: FormatName },
): Promise<{ readonly loaded: readonly EvalFile[]; readonly problems: readonly string[] }> {
  const format = await BUILT_IN_FORMATS[name]();
  const loaded: EvalFile[] = [];
  const problems: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const file of files) {
    const path = join(folder, file.name);
    await writeFile(path, file.text);
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void found.push(diagnostic);
    const document = await readDocument(path, report);
    const read = document === null ? null : await format.load(document, { report, skill, projectRoot: null });
    if (read !== null) loaded.push(read);
    if (read === null || hasErrors(found))
      problems.push(...found.filter(isError).map((one) => said(file.name, one)));
  }
  return { loaded, problems };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function said(name: string, { message, at, hint }: Diagnostic): string {
  const place = at === null ? name : `${name}:${at.line}:${at.column}`;
  return `${place}: ${message}${hint === null ? "" : ` (${hint})`}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
