import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { EvalEvent } from "../../src/domain/event.ts";
import { countsAs } from "../../src/domain/run.ts";
import type { JournalReading } from "../../src/store/journal.ts";
import type { TempTree } from "../support/temp-tree.ts";
import { mountsBelow, processesOf } from "./strays.ts";

/** What a crash did to a suite that was then resumed; each list is to be empty. */
export interface Damage {
  /** Trials whose run, once committed, is gone or another, or that were never made. */
  readonly lost: readonly string[];
  /** Trials that were committed or begun again after their commit. */
  readonly repeated: readonly string[];
  /** Files that hold a part of what was to be written. */
  readonly torn: readonly string[];
  /** Files, processes and mounts that a suite without a crash would not have left. */
  readonly litter: readonly string[];
}

export interface Evidence {
  readonly before: readonly EvalEvent[];
  readonly after: JournalReading;
  /** Paths that a suite without a crash leaves. */
  readonly expected: { readonly project: ReadonlySet<string>; readonly home: ReadonlySet<string> };
  readonly home: string;
}

export async function damageIn(
  place: TempTree,
  { before, after, expected, home }: Evidence,
): Promise<Damage> {
  const project = place.path("project");
  const files = [...(await filesIn(project))].filter((path) => !path.includes("/attempts/"));
  const found = new Set(files);
  return {
    lost: [
      ...committed(before)
        .filter(([id, run]) => !committed(after.events).some(([other, kept]) => other === id && kept === run))
        .map(([id]) => id),
      ...[...expected.project].filter((path) => !found.has(path)),
    ],
    repeated: repeatedIn(after.events),
    torn: [...after.diagnostics.map(({ message }) => message), ...(await tornIn(project, files))],
    litter: [
      ...files.filter((path) => !expected.project.has(path)),
      ...(await filesIn(place.path("tmp"))),
      ...[...(await filesIn(home))].filter((path) => !expected.home.has(path)),
      ...(await processesOf(place.root)),
      ...mountsBelow(place.root),
    ],
  };
}

/** Files, links and empty folders below a folder, by relative path. */
export async function filesIn(root: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const parents = new Set(entries.map((entry) => relative(root, entry.parentPath)));
  return new Set(paths.filter((path) => !parents.has(path)));
}

function committed(events: readonly EvalEvent[]): readonly (readonly [string, string])[] {
  return events.flatMap((event) =>
    commits(event) ? [[event.trial.id, JSON.stringify(event.run)] as const] : [],
  );
}

function commits(event: EvalEvent): event is Extract<EvalEvent, { kind: "trial-finished" }> {
  return event.kind === "trial-finished" && countsAs(event.run.outcome) !== "left-out";
}

export function repeatedIn(events: readonly EvalEvent[]): readonly string[] {
  const done = new Set<string>();
  const repeated: string[] = [];
  for (const event of events) {
    if (event.kind !== "trial-started" && event.kind !== "trial-finished") continue;
    if (done.has(event.trial.id)) repeated.push(event.trial.id);
    if (commits(event)) done.add(event.trial.id);
  }
  return repeated;
}

/** What Assay writes; an agent's own stream, output.jsonl, is as the agent left it. */
export async function tornIn(root: string, files: readonly string[]): Promise<readonly string[]> {
  const torn: string[] = [];
  for (const path of files.filter((file) => /^\.assay\/.*(?<!output)\.jsonl?$/.test(file))) {
    const text = await readFile(join(root, path), "utf8");
    const lines = text.split("\n");
    const isWhole = path.endsWith(".json") ? isJson(text) : lines.pop() === "" && lines.every(isJson);
    if (!isWhole) torn.push(path);
  }
  const ignored = files.includes(IGNORED) ? await readFile(join(root, IGNORED), "utf8") : WHOLE_IGNORED;
  return ignored === WHOLE_IGNORED ? torn : [...torn, IGNORED];
}

const IGNORED = ".assay/.gitignore";
const WHOLE_IGNORED = "*\n!/cassettes/\n!/cassettes/**\n";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
