import { randomBytes } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import type { Contender } from "../../compare/pair.ts";
import type { BenchRequest } from "../../engine/engine.ts";
import { evaluateSuites } from "../../pipeline.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { keepSkill } from "../../iteration/keep-skill.ts";
import { suiteFolder } from "../../store/layout.ts";
import { olderVersions, readVersion } from "../bench/older-version.ts";
import { DEFAULT_RUNS } from "../bench/settings.ts";
import { findIteration } from "../find-run.ts";
import type { IterationArm } from "./arm.ts";
import type { CompareCall } from "./call.ts";
import { loadOneSuite } from "./one-suite.ts";
import type { Operand } from "./operand.ts";
import { readSkillFiles } from "./skill-text.ts";

export interface RunVersions {
  readonly arms: Readonly<Record<Contender, IterationArm>>;
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
}

type Version = Operand & { readonly kind: "version" };
type Versions = Readonly<Record<Contender, Version>>;

/** Runs both versions side by side in one iteration, on the cases that the skill has now. */
export async function runVersions(
  versions: Versions,
  call: CompareCall,
): Promise<RunVersions | "interrupted"> {
  const { first, second } = versions;
  const { run, door } = call;
  const { machine } = door;
  const target = targetOf(versions, call.settled.skill);
  const own = await readVersion(resolve(machine.cwd, target), target);
  await using before = olderVersions(first.directory ?? first.name, machine);
  await using after = olderVersions(second.directory ?? second.name, machine);
  const skills = { first: await before.find(own), second: await after.find(own) };
  await requireVersions(skills, versions);
  const suite = await loadOneSuite(target, call);
  const { reports, ended } = await evaluateSuites(
    [{ ...suite, skill: skills.second }],
    {
      ...run.request,
      purpose: "compare",
      variants: ["new_skill", "old_skill"],
      defaultRuns: { task: call.settled.flips ? DEFAULT_RUNS : runsToPrefer(suite), trigger: 0 },
      own,
      bench: benchOf(versions, skills.first, own),
    },
    door.signal,
  );
  if (ended !== "complete") return "interrupted";
  const [report] = reports;
  if (report === undefined) throw new Error("the versions were not run");
  const found = await findIteration(report.folder, {
    machine,
    results: dirname(dirname(report.folder)),
  });
  const number = found.state.iteration?.number ?? 0;
  /** Of a ref, the copy that stays: what was fetched is removed. */
  const placeOf = async ({ directory, name }: Version, skill: Skill): Promise<string> => {
    if (directory !== null) return name;
    const kept = suiteFolder(dirname(report.folder)).skill(await skillDigest(skill));
    await keepSkill(
      skill,
      { target: kept, madeIn: report.folder },
      { mask: run.request.mask, note: machine.note },
    );
    return kept;
  };
  return {
    arms: {
      first: { ...found, name: first.name, number, variant: "old_skill" },
      second: { ...found, name: second.name, number, variant: "new_skill" },
    },
    skills: {
      first: await filesOf(skills.first, await placeOf(first, skills.first)),
      second: await filesOf(skills.second, await placeOf(second, skills.second)),
    },
  };
}

/** Every pair of outputs is one voice, so that few cases need more runs before a clear preference is more than a lean. */
function runsToPrefer({ cases }: Suite): number {
  const tasks = cases.filter(({ kind }) => kind === "task").length;
  return Math.max(DEFAULT_RUNS, FEW_CASES[tasks] ?? 0);
}

/** By number of cases; with as many, judges of quality find about four in five clear preferences (docs/design/verdicts.md). One case needs six to find any. */
const FEW_CASES: Readonly<Record<number, number>> = { 1: 6, 2: 5, 3: 4 };

/** The skill as it is here: its evals are asked, and git knows the others by its path. */
function targetOf({ first, second }: Versions, skill: string | null): string {
  const target = skill ?? second.directory ?? first.directory;
  if (target !== null) return target;
  throw new UserError(
    "compare/which-skill",
    `${first.name} and ${second.name} are no files here, so they must be git refs: of which skill?`,
    { hint: `e.g. assay compare ${first.name} ${second.name} --skill skills/pdf` },
  );
}

async function requireVersions(
  skills: Readonly<Record<Contender, Skill>>,
  { first, second }: Versions,
): Promise<void> {
  if (skills.first.name !== skills.second.name) {
    throw new UserError(
      "compare/other-skill",
      `${first.name} holds the skill ${skills.first.name}, ${second.name} the skill ${skills.second.name}`,
      { hint: "compare two versions of the same skill" },
    );
  }
  if ((await skillDigest(skills.first)) === (await skillDigest(skills.second))) {
    throw new UserError("compare/same", `${first.name} and ${second.name} hold the same skill`, {
      hint: "there is nothing to compare; assay bench --aa measures what chance alone does",
    });
  }
}

function benchOf({ first, second }: Versions, older: Skill, own: Skill): BenchRequest {
  const isFetched = second.directory === null;
  return {
    group: `compare-${randomBytes(6).toString("hex")}`,
    options: {
      alpha: 0.05,
      minEffect: 0,
      aa: false,
      adaptive: null,
      against: first.name,
      version: isFetched ? second.name : null,
    },
    olderVersion: async () => older,
    ...(isFetched && { skillPath: own.root }),
    reuse: null,
    rounds: null,
  };
}

async function filesOf({ layout, file, root }: Skill, shownAs: string): Promise<SkillFiles | null> {
  if (layout === "directory") return readSkillFiles(root, shownAs);
  const all = await readSkillFiles(root, shownAs);
  const own = all?.files.find(({ path }) => file.endsWith(path));
  return own === undefined ? null : { path: shownAs, files: [own] };
}
