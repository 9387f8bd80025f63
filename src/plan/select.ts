import type { Case, EvalFile, Suite } from "../domain/suite.ts";

/** Which cases of a suite are wanted; an empty list or null wants all. */
export interface Selection {
  readonly mode: "artifact" | "trigger" | "both";
  /** Case ids or declared ids, exactly. */
  readonly cases: readonly string[];
  /** Matched against id, name, prompt and check ids, without regard to case. */
  readonly filter: string | null;
  readonly shard: Shard | null;
}

/** Part `index` of `count`, counting from 1. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

export const EVERYTHING: Selection = { mode: "both", cases: [], filter: null, shard: null };

export function selectCases(cases: readonly Case[], selection: Selection): Case[] {
  const wanted = cases.filter(
    (one) => hasMode(one, selection.mode) && isNamed(one, selection.cases) && matches(one, selection.filter),
  );
  return selection.shard === null ? wanted : shardOf(wanted, selection.shard);
}

/**
 * What to select of each suite, so that a shard is even over all of them together: many skills with a case or two would
 * otherwise all fall to the first.
 */
export function selectionPerSuite(
  suites: readonly Suite[],
  selection: Selection,
): (suite: Suite) => Selection {
  const { shard } = selection;
  if (shard === null) return () => selection;
  const before = new Map<string, number>();
  let cases = 0;
  for (const suite of suites.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (before.has(suite.name)) continue;
    before.set(suite.name, cases);
    cases += selectCases(suite.cases, { ...selection, shard: null }).length;
  }
  return ({ name }) => {
    const turned = shard.index - 1 - ((before.get(name) ?? 0) % shard.count) + shard.count;
    return { ...selection, shard: { ...shard, index: (turned % shard.count) + 1 } };
  };
}

/** The suites that a change to any of these absolute paths can affect. */
export function changedSuites(suites: readonly Suite[], changedPaths: readonly string[]): Suite[] {
  return suites.filter((suite) => {
    const watched = [suite.skill?.root, ...suite.files.map(watchedPath), ...suite.cases.flatMap(stagedPaths)];
    return watched.some(
      (path) => path !== undefined && changedPaths.some((changed) => isInside(changed, path)),
    );
  });
}

/** A case that is a folder changes with any of its files. */
function watchedPath({ path, format }: EvalFile): string {
  return format === "claude-plugin" || format === "tessl" ? path.replace(/[/\\][^/\\]*$/, "") : path;
}

function hasMode(one: Case, mode: Selection["mode"]): boolean {
  return mode === "both" || (mode === "trigger") === (one.kind === "trigger");
}

function isNamed(one: Case, names: readonly string[]): boolean {
  const isIt = (name: string) => name === one.id || name === String(one.declaredId) || isPathOf(name, one);
  return names.length === 0 || names.some(isIt);
}

/** Skillet's cases are files in folders: `web/001` or `web/001.yaml`. */
function isPathOf(name: string, { format, at }: Case): boolean {
  if (format !== "skillet" || !/[/\\]|\.ya?ml$/i.test(name)) return false;
  const plain = (path: string) => `/${path.replaceAll("\\", "/").replace(/\.ya?ml$/i, "")}`;
  return plain(at.file).endsWith(plain(name));
}

function matches(one: Case, filter: string | null): boolean {
  if (filter === null) return true;
  const prompt = one.prompt.kind === "turns" ? one.prompt.turns : [one.prompt.args];
  const haystack = [one.id, one.name ?? "", ...prompt, ...one.checks.map((check) => check.id)].join("\n");
  return haystack.toLowerCase().includes(filter.toLowerCase());
}

/** Even to within one case, and the same whatever order the cases come in. A case's variants stay together. */
function shardOf(cases: readonly Case[], { index, count }: Shard): Case[] {
  const sorted = cases.map((one) => one.id).sort();
  const mine = new Set(sorted.filter((_, position) => position % count === index - 1));
  return cases.filter((one) => mine.has(one.id));
}

function stagedPaths(one: Case): string[] {
  const sources = one.files.flatMap((file) =>
    file.kind === "path" && file.source !== null ? [file.source] : [],
  );
  return [...sources, ...one.overlays];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
