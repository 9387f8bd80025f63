import { extname } from "node:path";
import type { IterationAddress, IterationPage } from "../domain/pages.ts";
import type { RunAddress, RunFile } from "../domain/run-pages.ts";
import { UserError } from "../domain/user-error.ts";
import type { Redactor, Results } from "../operations/view.ts";
import { ask, type Request, runName, type StaticData } from "./api.ts";
import { IMAGE_TYPES } from "./image-types.ts";

/** Everything that the static form answers with, without what is nobody else's business. */
export async function collect(
  results: Results,
  chosen: readonly IterationAddress[],
  redactor: Redactor,
): Promise<StaticData> {
  const answers = new Map<string, unknown>();
  const omitted = new Map<string, number>();
  const collecting: Collecting = {
    results,
    redactor,
    keep: (request, value, place) => void answers.set(request, redactor.json(value, place)),
    omit: (what, count = 1) => void omitted.set(what, (omitted.get(what) ?? 0) + count),
  };
  const { keep, omit } = collecting;
  keep(ask.overview(), await results.overview(), "overview");
  for (const skill of new Set(chosen.map((one) => one.skill))) {
    const place = `history of ${skill}`;
    const history = await orNull(results.improve(skill));
    if (history !== null) keep(ask.improve(redactor.text(skill, place)), history, place);
  }
  for (const at of chosen) {
    const place = `${at.skill}@${at.n}`;
    const shown = redactor.json(at, place);
    const page = await results.iteration(at);
    keep(ask.iteration(shown), page, place);
    keep(ask.triggers(shown), await results.triggers(at), place);
    const feedback = await orNull(results.feedback(at));
    if (feedback === null) omit("feedback that cannot be read");
    else keep(ask.feedback(shown), feedback, `feedback on ${place}`);
    for (const trial of trialsOf(page)) await collectRun({ ...at, trial }, collecting);
  }
  return { version: 1, answers: Object.fromEntries(answers), omitted: Object.fromEntries(omitted) };
}

interface Collecting {
  readonly results: Results;
  readonly redactor: Redactor;
  readonly keep: <T>(request: Request<T>, value: unknown, place: string) => void;
  readonly omit: (what: string, count?: number) => void;
}

async function collectRun(at: RunAddress, collecting: Collecting): Promise<void> {
  const { results, redactor, keep, omit } = collecting;
  const place = runName(at);
  const page = await orNull(results.run(at));
  if (page === null) return;
  const shown = redactor.json(at, place);
  keep(ask.run(shown), page, place);
  const index = await results.timelineIndex(at);
  keep(ask.timelineIndex(shown), index, place);
  const pages = Math.ceil(index.events / index.pageSize);
  for (let number = 0; number < Math.min(pages, MOST_PAGES); number++) {
    const timeline = await results.timeline(at, number);
    keep(ask.timeline(shown, number), timeline, place);
    for (const [offset, { cut }] of timeline.events.entries()) {
      const event = number * index.pageSize + offset;
      if (cut > MOST_EVENT_CHARS) omit("long events, which are shown cut");
      else if (cut > 0) keep(ask.event(shown, event), await results.event(at, event), place);
    }
  }
  if (pages > MOST_PAGES) omit("events of long transcripts", index.events - MOST_PAGES * index.pageSize);
  for (const file of page.files.filter(({ kept }) => kept)) await collectFile(at, file, collecting);
}

/** Per run; the rest of a longer transcript is not in the file. */
const MOST_PAGES = 50;
const MOST_EVENT_CHARS = 1_000_000;
const MOST_FILE_BYTES = 2 * 1024 * 1024;

async function collectFile(
  at: RunAddress,
  file: RunFile,
  { results, redactor, keep, omit }: Collecting,
): Promise<void> {
  if (file.bytes > MOST_FILE_BYTES) return omit("files of more than 2 MB");
  const place = `${runName(at)} ${file.path}`;
  const named = { area: file.area, path: file.path };
  const shown = redactor.json({ at, named }, place);
  const text = await orNull(results.fileText(at, named));
  if (text === null) return omit("files that are no longer there");
  if (text.text !== null) keep(ask.fileText(shown.at, shown.named), text, place);
  if (file.area === "outputs" && file.change !== null) {
    const diff = await orNull(results.fileDiff(at, file.path));
    if (diff?.problem === null) keep(ask.fileDiff(shown.at, shown.named.path), diff, place);
  }
  const type = IMAGE_TYPES.get(extname(file.path).toLowerCase());
  if (type === undefined) {
    if (text.text === null) omit("files that are neither text nor a picture");
    return;
  }
  const { handle } = await results.file(at, named);
  const bytes = await handle.readFile().finally(() => handle.close());
  const clean = file.path.toLowerCase().endsWith(".svg")
    ? Buffer.from(redactor.text(bytes.toString("utf8"), place))
    : bytes;
  if (!redactor.isClean(clean)) return omit("pictures with something in them that must not be shared");
  keep(ask.file(shown.at, shown.named), `data:${type};base64,${clean.toString("base64")}`, place);
}

function trialsOf({ cases }: IterationPage): readonly string[] {
  return cases.flatMap(({ arms }) => arms.flatMap(({ runs }) => runs.map(({ trial }) => trial)));
}

/** What is not there, or cannot be read, is not in the file. */
async function orNull<T>(made: Promise<T>): Promise<T | null> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
