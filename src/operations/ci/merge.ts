import { cp, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EvalEvent, EventOf } from "../../domain/event.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Case } from "../../domain/suite.ts";
import type { Iteration } from "../../domain/iteration.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { createIteration, listIterations } from "../../store/iterations.ts";
import { openJournal, readJournal } from "../../store/journal.ts";
import { type IterationFolder, projectFolder } from "../../store/layout.ts";
import { writeManifest } from "../../store/manifest.ts";

/** An iteration that a lane left behind. */
export interface PartOfIteration {
  readonly folder: IterationFolder;
  readonly events: readonly EvalEvent[];
  readonly started: EventOf<"iteration-started">;
}

/** The iterations of a results folder; one whose journal has no start is none. */
export async function partsIn(results: string): Promise<readonly PartOfIteration[]> {
  const names = await readdir(results).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const iterations = await listIterations(join(results, name));
      return Promise.all(iterations.map(({ folder }) => partOf(folder)));
    }),
  );
  return found.flat(2).filter((part) => part !== null);
}

async function partOf(folder: IterationFolder): Promise<PartOfIteration | null> {
  const { events } = await readJournal(folder.journal);
  const started = events.findLast((event) => event.kind === "iteration-started");
  return started === undefined ? null : { folder, events, started };
}

/** Parts of one skill, agent and model belong together, whichever shard they come from. */
export function sameIteration({ started: { iteration } }: PartOfIteration): string {
  const { suite, harness, model, purpose } = iteration;
  return JSON.stringify([suite, harness, model, purpose]);
}

/**
 * Makes one iteration of the shards of one: their cases, trials and events together, as if one machine had run them all. What was
 * decided of a part alone, such as its summary, is left behind. Answers the folder.
 */
export async function joinParts(parts: readonly PartOfIteration[], results: string): Promise<string> {
  const [first] = parts;
  if (first === undefined) throw new Error("there are no parts to join");
  const { number, folder } = await createIteration(
    projectFolder(results).suite(first.started.iteration.suite),
  );
  for (const part of parts)
    await cp(part.folder.root, folder.root, { recursive: true, filter: isEvidence(part.folder) });
  const iteration = wholeIteration(first.started.iteration, number);
  const mask = secretMask([]);
  await writeManifest(folder.manifest, iteration, mask);
  await using journal = await openJournal({ path: folder.journal, mask, committed: [] });
  await journal.append({
    ...first.started,
    iteration,
    cases: inOrder(
      uniqueBy(
        parts.flatMap(({ started }) => started.cases),
        ({ id }) => id,
      ),
    ),
    trials: uniqueBy(
      parts.flatMap(({ started }) => started.trials),
      ({ id }) => id,
    ),
  });
  for (const event of parts.flatMap(({ events }) => events))
    if (isOfTrial(event)) await journal.append(event);
  const ended = parts.every(isComplete) ? "complete" : "interrupted";
  await journal.append({ kind: "iteration-finished", at: lastTime(parts), ended });
  return folder.root;
}

/** What a part made of itself is made again from the whole. */
function isEvidence({ root, journal, manifest, lock, summary, benchmark, benchmarkText }: IterationFolder) {
  const own = new Set([journal, manifest, lock, summary, benchmark, benchmarkText]);
  return (path: string) => path === root || !own.has(path);
}

function wholeIteration(iteration: Iteration, number: number): Iteration {
  const selection = { ...(iteration.options["selection"] as JsonObject | undefined), shard: null };
  return { ...iteration, number, options: { ...iteration.options, selection } };
}

function isOfTrial({ kind }: EvalEvent): boolean {
  return kind !== "iteration-started" && kind !== "iteration-finished";
}

function isComplete({ events }: PartOfIteration): boolean {
  return events.findLast((event) => event.kind === "iteration-finished")?.ended === "complete";
}

function lastTime(parts: readonly PartOfIteration[]): string {
  return (
    parts
      .map(({ events }) => events.at(-1)?.at ?? "")
      .toSorted()
      .at(-1) ?? ""
  );
}

/** As the eval file has them: shards take turns. */
function inOrder(cases: readonly Case[]): readonly Case[] {
  const place = ({ at }: Case) => [basename(at.file), at.line, at.column] as const;
  return cases.toSorted((a, b) => {
    const [[one, line, column], [other, otherLine, otherColumn]] = [place(a), place(b)];
    return one.localeCompare(other, "en") || line - otherLine || column - otherColumn;
  });
}

function uniqueBy<T>(list: readonly T[], key: (one: T) => string): readonly T[] {
  return [...new Map(list.map((one) => [key(one), one])).values()];
}
