import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../domain/plan.ts";
import { affectedOf, type AffectedGroup, type Looking } from "../iteration/affected.ts";
import type { Iterating } from "../iteration/iterate.ts";
import { filesRead, toolCallsIn } from "../iteration/read-files.ts";
import { plural } from "../lib/plural.ts";
import type { Machine } from "../machine.ts";
import { projectFolder } from "../store/layout.ts";
import { changesText, listText } from "./change-text.ts";
import { type EarlierIteration, lastComplete, thenOf } from "./earlier-iterations.ts";

/** The plan with the runs that no change can have touched taken over from the last complete iteration. Says what and why. */
export async function affectedPlan(
  plan: Plan,
  { iterating, machine }: { iterating: Iterating; machine: Machine },
): Promise<Plan> {
  const { name } = plan.suite;
  const base = await lastComplete(plan, iterating);
  if (base === null) {
    machine.note(`${name}: there is no complete iteration to compare with, so everything runs`);
    return plan;
  }
  const looking = { thenOf: thenOf(iterating.results), filesReadBy: filesReadIn(plan, base, iterating) };
  const { takeOver, groups } = await affectedOf(plan, base.state, looking);
  for (const group of groups)
    machine.note(`${name}: ${groupText(group, { number: base.number, cwd: machine.cwd })}`);
  return { ...plan, repetition: { takeOver: { iteration: base.number, trials: takeOver }, leave: [] } };
}

function filesReadIn(
  { suite }: Plan,
  { folder }: EarlierIteration,
  { results }: Iterating,
): Looking["filesReadBy"] {
  return async ({ run, trial, folder: at }, { basis }) => {
    const parts = basis?.skills[trial.variant];
    const calls = await toolCallsIn(folder.run(at).transcript);
    const told = Object.values(run.toolCalls).reduce((sum, count) => sum + count, 0);
    // A program that tells nothing of its tools may have read anything; a transcript may have been cut.
    const isSeen = calls !== null && calls.length >= told && (told > 0 || run.skillsOffered !== null);
    if (parts === undefined || !isSeen) return null;
    const kept = projectFolder(results)
      .suite(suite.name)
      .skill(basis?.skill[trial.variant] ?? "");
    return filesRead(calls, {
      folder: suite.skill?.name ?? suite.name,
      files: Object.keys(parts.files).filter((path) => path !== parts.main),
      textOf: (path) => programText([kept, suite.skill?.root ?? kept], path),
    });
  };
}

/** A text for people is followed by the agent, whose calls show it; a program's reads are in no transcript. */
function programText(folders: readonly string[], path: string): string | null {
  if (/\.(?:md|txt|rst|html?|json|ya?ml|csv|pdf|png|jpe?g|docx?|xlsx?|pptx?)$/iu.test(path)) return null;
  for (const folder of folders) {
    try {
      return readFileSync(join(folder, path), "utf8");
    } catch {
      continue;
    }
  }
  return null;
}

function groupText(
  { decision, cases, changes }: AffectedGroup,
  { number, cwd }: { number: number; cwd: string },
): string {
  const many = plural(cases.length, "case");
  if (decision === "run") {
    const why = changes === null ? `iteration-${number} has no run that counts` : changesText(changes, cwd);
    return `running ${many} (${listText(cases)}): ${why}`;
  }
  return `skipped ${many}: ${skipText(changes ?? [], { many: cases.length !== 1, number, cwd })}`;
}

function skipText(
  changes: NonNullable<AffectedGroup["changes"]>,
  { many, number, cwd }: { many: boolean; number: number; cwd: string },
): string {
  const them = many ? "them" : "it";
  if (changes.length === 0) return `nothing that touches ${them} changed since iteration-${number}`;
  const files = changes.flatMap((one) => (one.kind === "skill" && one.part === "file" ? [one.path] : []));
  const others = changes.filter((one) => !(one.kind === "skill" && one.part === "file"));
  const parts = [
    ...(files.length === 0
      ? []
      : [
          `${listText(files)} ${files.length === 1 ? "was" : "were"} not read by ${them} in iteration-${number}`,
        ]),
    ...(others.length === 0
      ? []
      : [`${changesText(others, cwd)}, which decides only whether the skill fires`]),
  ];
  return parts.join("; ");
}
