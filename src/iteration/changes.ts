import type { Basis, SkillParts } from "../domain/basis.ts";
import { commandsOf } from "../domain/check.ts";
import type { CasePart, Change } from "../domain/change.ts";
import type { EventOf } from "../domain/event.ts";
import type { Plan } from "../domain/plan.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";

/** How things were when a run was made. */
export interface Then {
  readonly start: Pick<EventOf<"iteration-started">, "iteration" | "basis" | "cases">;
  /** Digest of each file of the project; null: not known any more. */
  readonly projectFiles: Readonly<Record<string, string>> | null;
}

/** Pure: what a trial depends on and is not what it was; `unknown` where nothing can be named. */
export function changesFor(
  trial: Trial,
  now: Pick<Plan, "suite" | "client" | "determinants" | "projectFiles">,
  then: Then,
): readonly Change[] {
  const { iteration, basis, cases } = then.start;
  if (basis === undefined) return [{ kind: "unknown" }];
  const found = [
    ...(basis.client === now.determinants.client
      ? []
      : [{ kind: "client", from: iteration.client, to: now.client } as const]),
    ...optionChanges(basis, now.determinants),
    ...projectChange(basis, now, then),
    ...skillChanges(basis.skills[trial.variant], now.determinants.skills[trial.variant]),
    ...caseChanges(
      { one: cases.find(({ id }) => id === trial.caseId), basis },
      { one: now.suite.cases.find(({ id }) => id === trial.caseId), basis: now.determinants },
    ),
  ];
  return found.length === 0 ? [{ kind: "unknown" }] : found;
}

function optionChanges({ told: then }: Basis, { told: now }: Basis): readonly Change[] {
  return differing(then, now).map((name) => ({ kind: "option", name }));
}

function projectChange(
  then: Basis,
  now: Pick<Plan, "determinants" | "projectFiles">,
  { projectFiles }: Then,
): readonly Change[] {
  if (then.project === now.determinants.project) return [];
  return [
    { kind: "project", files: projectFiles === null ? null : differing(projectFiles, now.projectFiles) },
  ];
}

/** Of the main file it is said what changed in it; one that changed in no part of it counts as a change of its body. */
function skillChanges(then: SkillParts | undefined, now: SkillParts | undefined): readonly Change[] {
  if (then === undefined || now === undefined) return [];
  return differing(then.files, now.files).flatMap((path): readonly Change[] => {
    if (path !== now.main) return [{ kind: "skill", part: "file", path }];
    const parts = PARTS.filter((part) => then[part] !== now[part]);
    return (parts.length === 0 ? (["body"] as const) : parts).map((part) => ({ kind: "skill", part, path }));
  });
}

const PARTS = ["description", "frontmatter", "body"] as const;

interface CaseThen {
  readonly one: Case | undefined;
  readonly basis: Basis;
}

function caseChanges(then: CaseThen, now: CaseThen): readonly Change[] {
  if (then.one === undefined || now.one === undefined) return [];
  const { id: caseId, at } = now.one;
  const [before, after] = [ownParts(then.one), ownParts(now.one)];
  const changed = Object.keys(after).filter((part) => before[part as CasePart] !== after[part as CasePart]);
  const own = changed.map(
    (part) => ({ kind: "case", caseId, file: at.file, part: part as CasePart }) as const,
  );
  const staged = then.basis.cases[caseId] !== now.basis.cases[caseId];
  if (!staged) return own;
  const isProbe = now.one.kind === "trigger" && then.basis.probe !== now.basis.probe;
  return [...own, isProbe ? { kind: "probe" } : { kind: "case", caseId, file: at.file, part: "files" }];
}

function ownParts({
  prompt,
  settings,
  setup,
  teardown,
  checks,
  mcpServers,
  kind,
}: Case): Record<string, string> {
  const parts: Readonly<Partial<Record<CasePart, unknown>>> = {
    prompt,
    "system prompt": settings.systemPrompt,
    timeout: settings.timeoutSeconds,
    sync_tasks: settings.syncTasks,
    setup,
    teardown,
    "shell checks": commandsOf(checks),
    "MCP servers": mcpServers,
    kind,
  };
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, JSON.stringify(value)]));
}

/** The keys that only one side has, or that differ, in the order of the alphabet. */
function differing(
  then: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].filter((key) => then[key] !== now[key]).toSorted();
}
