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
import { newestCounted, thenOf } from "./earlier-iterations.ts";

/**
 * The plan with the runs that no change can have touched taken over from earlier iterations, each from the newest in which its
 * trial counted. Says what and why.
 */
export async function affectedPlan(
  plan: Plan,
  { iterating, machine }: { iterating: Iterating; machine: Machine },
): Promise<Plan> {
  const { name } = plan.suite;
  const counted = await newestCounted(plan, iterating);
  if (counted.size === 0) {
    machine.note(`${name}: no earlier iteration has a run that counts, so everything runs`);
    return plan;
  }
  const looking = { thenOf: thenOf(iterating.results), filesReadBy: filesReadIn(plan, iterating) };
  const { takeOver, groups } = await affectedOf(plan, counted, looking);
  for (const group of groups) machine.note(`${name}: ${groupText(group, machine.cwd)}`);
  return { ...plan, repetition: { takeOver, leave: [] } };
}

function filesReadIn({ suite }: Plan, { results }: Iterating): Looking["filesReadBy"] {
  return async ({ folder, finished: { run, trial, folder: at }, start }) => {
    const basis = start?.basis;
    const parts = basis?.skills[trial.variant];
    if (parts === undefined) return null;
    const calls = await toolCallsIn(folder.run(at).transcript);
    const told = Object.values(run.toolCalls).reduce((sum, count) => sum + count, 0);
    // A program that tells nothing of its tools may have read anything; a transcript may have been cut.
    const isSeen = calls !== null && calls.length >= told && (told > 0 || run.skillsOffered !== null);
    if (!isSeen) return null;
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

function groupText({ decision, cases, changes, iterations }: AffectedGroup, cwd: string): string {
  const many = plural(cases.length, "case");
  if (decision === "run") {
    const why =
      changes === null
        ? `no earlier run of ${cases.length === 1 ? "it" : "them"} counts`
        : changesText(changes, cwd);
    return `running ${many} (${listText(cases)}): ${why}`;
  }
  const since = listText(iterations.map((number) => `iteration-${number}`));
  return `skipped ${many}: ${skipText(changes ?? [], { many: cases.length !== 1, since, cwd })}`;
}

function skipText(
  changes: NonNullable<AffectedGroup["changes"]>,
  { many, since, cwd }: { many: boolean; since: string; cwd: string },
): string {
  const them = many ? "them" : "it";
  if (changes.length === 0) return `nothing that touches ${them} changed since ${since}`;
  const files = changes.flatMap((one) => (one.kind === "skill" && one.part === "file" ? [one.path] : []));
  const others = changes.filter((one) => !(one.kind === "skill" && one.part === "file"));
  const parts = [
    ...(files.length === 0
      ? []
      : [`${listText(files)} ${files.length === 1 ? "was" : "were"} not read by ${them} in ${since}`]),
    ...(others.length === 0
      ? []
      : [`${changesText(others, cwd)}, which only affects whether the skill fires`]),
  ];
  return parts.join("; ");
}
