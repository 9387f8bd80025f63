import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import type { Case, FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../shared/writing.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import { fixtureFiles } from "./fixture-files.ts";
import { loadFiles, type NamedText } from "./load-proposal.ts";
import { nativeCases } from "./native-cases.ts";
import { ensureFree, type ProposalPlace } from "./proposal-place.ts";

interface Keeping {
  readonly skill: Skill;
  readonly to: FormatName;
  readonly place: ProposalPlace;
  /** Where what would be written is tried out first. */
  readonly folder: string;
  readonly machine: Machine;
}

export interface KeptProposal {
  readonly losses: readonly string[];
  readonly written: readonly string[];
  readonly refusal: UserError | null;
}

/** Writes the cases in a format, if that format's loader can read them back. Overwrites nothing. */
export async function keepProposal(cases: readonly Case[], wanted: Keeping): Promise<KeptProposal> {
  const keeping = { ...wanted, place: placeFor(cases, wanted.place) };
  const { cases: placed, files: fixtures } = fixtureFiles(cases, {
    skill: keeping.skill,
    to: keeping.to,
    directory: keeping.place.directory,
    projectRoot: findProjectRoot(keeping.skill.root, keeping.machine.home),
  });
  const { files: evals, losses } = await expressed(placed, keeping);
  const files = [...fixtures, ...evals];
  const written: string[] = [];
  try {
    await ensureReadable(evals, fixtures, keeping);
    await ensureFree(wanted.place, keeping.to, keeping.machine);
    for (const file of files) written.push(await writeNew(file, keeping));
    return { losses, written, refusal: null };
  } catch (error) {
    if (error instanceof UserError) return { losses, written, refusal: error };
    throw error;
  }
}

async function expressed(
  cases: readonly Case[],
  { skill, to, place, machine }: Keeping,
): Promise<{ readonly files: readonly NamedText[]; readonly losses: readonly string[] }> {
  const format = await BUILT_IN_FORMATS[to]();
  const { files, text, losses } = format.write({
    path: join(place.directory, "evals.json"),
    format: "skill-creator",
    dialect: "evals",
    skillName: skill.name,
    description: null,
    cases: nativeCases(cases, to, { skill, now: machine.now() }),
    extras: {},
  });
  const named = (files ?? [{ name: FIRST[to], text }]).map((file) => ({
    name: place.nameOf(file.name),
    text: file.text,
  }));
  return { files: named, losses };
}

function placeFor(cases: readonly Case[], place: ProposalPlace): ProposalPlace {
  const isOne = cases.filter(({ kind }) => kind === "task").length === 1;
  if (place.several === undefined || isOne) return place;
  return { ...place, directory: place.several, nameOf: (name) => name };
}

async function ensureReadable(
  files: readonly NamedText[],
  fixtures: readonly NamedText[],
  { skill, to, folder }: Pick<Keeping, "skill" | "to" | "folder">,
): Promise<void> {
  for (const { name, text } of fixtures) {
    await makeFolder(dirname(join(folder, name)));
    await writeFile(join(folder, name), text);
  }
  const { problems } = await loadFiles(files, { skill, folder, format: to });
  if (problems.length === 0) return;
  throw new UserError(
    "propose/not-expressible",
    `what was proposed cannot be written as ${to}: ${problems.join("; ")}`,
    { hint: "choose another format with --to; the same question is answered from the cache" },
  );
}

async function writeNew({ name, text }: NamedText, { place, machine }: Keeping): Promise<string> {
  const path = join(place.directory, name);
  await writing(path, machine, async () => {
    await makeFolder(dirname(path));
    await writeFile(path, text, { flag: "wx" });
  });
  return path;
}

const FIRST: Readonly<Record<FormatName, string>> = {
  "skill-creator": "evals.json",
  bmad: "evals.json",
  clauditor: "SKILL.eval.json",
  skillet: "001.yaml",
};
