import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { IterationEnd } from "../../domain/event.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import type { Contender } from "../../compare/pair.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { evaluate } from "../../pipeline.ts";
import { olderVersions } from "../bench/older-version.ts";
import { findIteration } from "../find-run.ts";
import type { Graders } from "../grade/with-grading.ts";
import { readRunOptions } from "../run/options.ts";
import { makeReporters } from "../run/reporters.ts";
import { MachineStages } from "../run/stages.ts";
import type { Terminal } from "../terminal.ts";
import type { IterationArm } from "./arm.ts";
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
  readonly graders: Graders;
  readonly mask: SecretMask;
  readonly terminal: Terminal;
}

/** Runs both versions side by side in one iteration. Answers how it ended where that is not the end of all trials. */
export async function runVersions(
  { first, second, raw, graders, mask, terminal }: VersionCall,
  signal: AbortSignal,
): Promise<RunVersions | Exclude<IterationEnd, "complete">> {
  if (second.directory === null) {
    throw new UserError("compare/which-version", `${second.name} is not the skill's own directory`, {
      hint: "name the other version first, then the skill as it is now: assay compare main skills/pdf",
    });
  }
  const asked = await readRunOptions(raw, terminal);
  const options = { ...asked, selection: { ...asked.selection, mode: "artifact" as const } };
  await using older = olderVersions(first.directory ?? first.name, terminal);
  const kept = new Map<Contender, SkillFiles | null>();
  const olderVersion = async (skill: Skill): Promise<Skill> => {
    const found = await older.find(skill);
    if (found.name !== skill.name) {
      throw new UserError(
        "compare/other-skill",
        `${first.name} holds the skill ${found.name}, ${second.name} the skill ${skill.name}`,
        { hint: "compare two versions of the same skill" },
      );
    }
    kept.set("first", await filesOf(found, first.name));
    kept.set("second", await filesOf(skill, second.name));
    return found;
  };
  await using stages = new MachineStages({
    targets: [second.directory],
    raw,
    options,
    variants: ["new_skill", "old_skill"],
    defaultRuns: { task: 1, trigger: 0 },
    terminal,
    reporter: makeReporters(["terminal"], { ...terminal, out: terminal.err }),
    mask,
    grade: graders.grade,
    connect: graders.services.connect,
    bench: {
      group: `compare-${randomBytes(6).toString("hex")}`,
      options: { alpha: 0.05, minEffect: 0, aa: false, adaptive: null, against: first.name },
      olderVersion,
      reuse: null,
      rounds: null,
    },
  });
  const { reports, ended } = await evaluate(stages, signal);
  if (ended !== "complete") return ended;
  const [report, another] = reports;
  if (report === undefined || another !== undefined) {
    throw new UserError("compare/several-runs", "the versions were run in more than one way", {
      hint: "name one harness and one model, or compare the iterations afterwards",
    });
  }
  const found = await findIteration(report.folder, {
    cwd: terminal.cwd,
    results: dirname(dirname(report.folder)),
  });
  const number = found.state.iteration?.number ?? 0;
  return {
    arms: {
      first: { ...found, name: first.name, number, variant: "old_skill" },
      second: { ...found, name: second.name, number, variant: "new_skill" },
    },
    skills: { first: kept.get("first") ?? null, second: kept.get("second") ?? null },
  };
}

async function filesOf({ layout, file, root }: Skill, shownAs: string): Promise<SkillFiles | null> {
  if (layout === "directory") return readSkillFiles(root, shownAs);
  const all = await readSkillFiles(root, shownAs);
  const own = all?.files.find(({ path }) => file.endsWith(path));
  return own === undefined ? null : { path: shownAs, files: [own] };
}
