import { UserError } from "../domain/user-error.ts";
import type { IterationAddress } from "../domain/pages.ts";
import type { FileArea, RunAddress } from "../domain/run-pages.ts";
import type { OpenedFile, Results } from "../operations/view.ts";

/** What a request is answered with. */
export type ViewerAnswer =
  | { readonly kind: "page"; readonly page: unknown }
  /** `name`: what it is called when it is downloaded, and what tells its type. */
  | { readonly kind: "file"; readonly file: OpenedFile; readonly name: string };

type Query = URLSearchParams;
type Answering = (results: Results, query: Query) => Promise<ViewerAnswer>;

/** The answer to a request of `api.ts`; null: there is no such request. Throws a UserError for one that cannot be answered. */
export function answerTo(results: Results, name: string, query: Query): Promise<ViewerAnswer> | null {
  const answering = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
  return answering?.(results, query) ?? null;
}

const ANSWERS: Readonly<Record<string, Answering>> = {
  overview: (results) => page(results.overview()),
  iteration: (results, query) => page(results.iteration(iterationIn(query), numberOrNull(query, "against"))),
  triggers: (results, query) => page(results.triggers(iterationIn(query))),
  improve: (results, query) => page(results.improve(textIn(query, "skill"))),
  search: (results, query) => {
    const searching = { query: textIn(query, "q"), trial: query.get("trial"), next: query.get("next") };
    return page(results.search(iterationIn(query), searching));
  },
  compare: (results, query) => page(results.compare(namedRun(query, "a"), namedRun(query, "b"))),
  feedback: (results, query) => page(results.feedback(iterationIn(query))),
  votes: (results, query) => page(results.votes(iterationIn(query))),
  "trigger-sets": (results, query) => page(results.triggerSets(iterationIn(query))),
  skill: (results, query) => page(results.skill(iterationIn(query))),
  run: (results, query) => page(results.run(runIn(query))),
  "timeline-index": (results, query) => page(results.timelineIndex(runIn(query))),
  timeline: (results, query) => page(results.timeline(runIn(query), numberIn(query, "page"))),
  event: (results, query) => page(results.event(runIn(query), numberIn(query, "index"))),
  "file-text": (results, query) => page(results.fileText(runIn(query), fileIn(query))),
  "file-diff": (results, query) => page(results.fileDiff(runIn(query), textIn(query, "path"))),
  file: async (results, query) => {
    const named = fileIn(query);
    return { kind: "file", file: await results.file(runIn(query), named), name: lastPart(named.path) };
  },
  raw: async (results, query) => ({
    kind: "file",
    file: await results.raw(runIn(query)),
    name: "output.jsonl",
  }),
};

type Changing = (results: Results, query: Query, value: unknown) => Promise<unknown>;

/** What a page may change, and the answer as it is then; null: nothing can be changed there. */
export function changeTo(
  results: Results,
  { name, query, value }: { readonly name: string; readonly query: Query; readonly value: unknown },
): Promise<unknown> | null {
  const changing = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  return changing?.(results, query, value) ?? null;
}

const CHANGES: Readonly<Record<string, Changing>> = {
  feedback: (results, query, value) => results.editFeedback(iterationIn(query), value),
  votes: (results, query, value) => results.vote(iterationIn(query), value),
  "trigger-sets": (results, query, value) => results.editTriggerSet(iterationIn(query), value),
  steer: (results, query, value) => results.steer(iterationIn(query), value),
};

async function page(made: Promise<unknown>): Promise<ViewerAnswer> {
  return { kind: "page", page: await made };
}

export function iterationIn(query: Query): IterationAddress {
  return { skill: textIn(query, "skill"), n: numberIn(query, "n") };
}

function runIn(query: Query): RunAddress {
  return { ...iterationIn(query), trial: textIn(query, "trial") };
}

/** `SKILL@N/TRIAL`. */
function namedRun(query: Query, name: string): RunAddress {
  const [, skill, n, trial] = /^([^@]+)@(\d{1,9})\/(.+)$/.exec(textIn(query, name)) ?? [];
  if (skill === undefined || trial === undefined) throw wrong(name);
  return { skill, n: Number(n), trial };
}

function fileIn(query: Query): { readonly area: FileArea; readonly path: string } {
  const area = textIn(query, "area");
  if (area !== "outputs" && area !== "inputs" && area !== "before") throw wrong("area");
  return { area, path: textIn(query, "path") };
}

function textIn(query: Query, name: string): string {
  const value = query.get(name);
  if (value === null || value === "") throw wrong(name);
  return value;
}

function numberIn(query: Query, name: string): number {
  const value = query.get(name) ?? "";
  if (!/^\d{1,9}$/.test(value)) throw wrong(name);
  return Number(value);
}

function numberOrNull(query: Query, name: string): number | null {
  return query.has(name) ? numberIn(query, name) : null;
}

function wrong(name: string): UserError {
  return new UserError(
    "view/bad-request",
    `the request does not say which ${name}, or not in a form that is known`,
  );
}

function lastPart(path: string): string {
  return path.split("/").at(-1) ?? path;
}
