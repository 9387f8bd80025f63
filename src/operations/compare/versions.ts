import { randomBytes } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { IterationEnd } from "../../domain/event.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import type { Contender } from "../../compare/pair.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { evaluate } from "../../pipeline.ts";
import { olderVersions, readVersion } from "../bench/older-version.ts";
import { findIteration } from "../find-run.ts";
import type { Graders } from "../grade/with-grading.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { readRunOptions } from "../../cli/options/run.ts";
import { makeReporters } from "../../cli/reporters.ts";
import { MachineStages } from "../../iteration/iterate.ts";
import type { Machine } from "../../machine.ts";
import type { IterationArm } from "./arm.ts";
import { oneRunOf } from "./one-run.ts";
import type { Operand } from "./operand.ts";
import { readSkillFiles } from "./skill-text.ts";

export interface RunVersions {
  readonly arms: Readonly<Record<Contender, IterationArm>>;
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
}

export interface VersionCall {
  readonly first: Operand & { readonly kind: "version" };
  readonly second: Operand & { readonly kind: "version" };
  readonly raw: Readonly<Record<string, unknown>>;
  /** `--skill`: the skill that the names are versions of. */
  readonly skill: string | null;
  /** Only checks are compared. */
  readonly flipsOnly: boolean;
  readonly graders: Graders;
  readonly mask: SecretMask;
  readonly machine: Machine;
}

/**
 * Runs both versions side by side in one iteration, on the cases that the skill has now. Answers how it ended where that is
 * not the end of all trials.
 */
export async function runVersions(
  call: VersionCall,
  signal: AbortSignal,
): Promise<RunVersions | Exclude<IterationEnd, "complete">> {
  const { first, second, raw, graders, mask, machine } = call;
  const target = targetOf(call);
  const own = await readVersion(resolve(machine.cwd, target), target);
  await using before = olderVersions(first.directory ?? first.name, machine);
  await using after = olderVersions(second.directory ?? second.name, machine);
  const skills = { first: await before.find(own), second: await after.find(own) };
  await requireVersions(skills, call);
  const asked = await readRunOptions(raw, machine);
  const options = { ...asked, selection: { ...asked.selection, mode: "artifact" as const } };
  await using stages = new MachineStages({
    targets: [target],
    raw: { ...raw, skill: undefined },
    options,
    variants: ["new_skill", "old_skill"],
    defaultRuns: { task: 1, trigger: 0 },
    machine,
    reporter: makeReporters(["terminal"], { ...machine, out: machine.err }),
    mask,
    grade: graders.grade,
    connect: graders.services.connect,
    hidden: graders.cassettes === null ? [] : [graders.cassettes.folder],
    own,
    bench: {
      group: `compare-${randomBytes(6).toString("hex")}`,
      options: {
        alpha: 0.05,
        minEffect: 0,
        aa: false,
        adaptive: null,
        against: first.name,
        version: second.directory === null ? second.name : null,
      },
      olderVersion: async () => skills.first,
      ...(second.directory === null && { skillPath: own.root }),
      reuse: null,
      rounds: null,
    },
  });
  const { reports, ended } = await evaluate(oneRunOf(skills.second, stages, { ...call, target }), signal);
  if (ended !== "complete") return ended;
  const [report] = reports;
  if (report === undefined) throw new Error("the versions were not run");
  const found = await findIteration(report.folder, {
    cwd: machine.cwd,
    results: dirname(dirname(report.folder)),
  });
  const number = found.state.iteration?.number ?? 0;
  return {
    arms: {
      first: { ...found, name: first.name, number, variant: "old_skill" },
      second: { ...found, name: second.name, number, variant: "new_skill" },
    },
    skills: {
      first: await filesOf(skills.first, first.name),
      second: await filesOf(skills.second, second.name),
    },
  };
}

/** The skill as it lies here: its evals are asked, and git knows the others by its path. */
function targetOf({ first, second, skill }: VersionCall): string {
  const target = skill ?? second.directory ?? first.directory;
  if (target !== null) return target;
  throw new UserError(
    "compare/which-skill",
    `${first.name} and ${second.name} are nothing that lies here, so they are taken for git refs, but of which skill is not said`,
    { hint: `assay compare ${first.name} ${second.name} --skill skills/pdf names it` },
  );
}

async function requireVersions(
  skills: Readonly<Record<Contender, Skill>>,
  { first, second }: VersionCall,
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

async function filesOf({ layout, file, root }: Skill, shownAs: string): Promise<SkillFiles | null> {
  if (layout === "directory") return readSkillFiles(root, shownAs);
  const all = await readSkillFiles(root, shownAs);
  const own = all?.files.find(({ path }) => file.endsWith(path));
  return own === undefined ? null : { path: shownAs, files: [own] };
}
