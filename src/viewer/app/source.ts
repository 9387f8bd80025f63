import { useEffect, useState } from "preact/hooks";
import { searchHeld } from "./search-held.ts";
import { TEXTS } from "./texts.ts";
import type { Bytes, Refusal, Request, StaticData } from "../api.ts";

/** What was asked for: on its way, here, or not to be had. */
export type Answered<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly message: string; readonly hint: string | null }
  | { readonly state: "here"; readonly answer: T };

const embedded = embeddedData();
export const isStatic = embedded !== null;
/** What the report does not hold, in words, with how often. */
export const omitted: Readonly<Record<string, number>> = embedded?.omitted ?? {};

/** Answers of a page that was left are kept for the way back. */
const kept = new Map<string, unknown>();
const KEPT = 60;

/** Throws what went wrong, in words for the reader. */
export async function load<T>(request: Request<T>): Promise<T> {
  if (embedded !== null) {
    if (request.startsWith("search?")) return searchHeld(embedded.answers, request) as T;
    if (!Object.hasOwn(embedded.answers, request)) throw new Absent();
    return embedded.answers[request] as T;
  }
  const response = await fetch(`/api/${request}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw await refused(response);
  const answer = (await response.json()) as T;
  kept.delete(request);
  kept.set(request, answer);
  for (const [oldest] of kept) if (kept.size > KEPT) kept.delete(oldest);
  return answer;
}

/** The answer to a request, asked for again whenever the request or `turn` changes. */
export function useAnswer<T>(request: Request<T> | null, turn = 0): Answered<T> {
  const [loaded, setLoaded] = useState<{ readonly request: string; readonly of: Answered<T> } | null>(null);
  useEffect(() => {
    if (request === null) return;
    let left = false;
    const show = (of: Answered<T>) => {
      if (!left) setLoaded({ request, of });
    };
    load(request).then(
      (answer) => show({ state: "here", answer }),
      (problem: unknown) => show(failure(problem)),
    );
    return () => {
      left = true;
    };
  }, [request, turn]);
  if (request === null) return { state: "loading" };
  if (loaded?.request === request) return loaded.of;
  if (embedded !== null && Object.hasOwn(embedded.answers, request))
    return { state: "here", answer: embedded.answers[request] as T };
  return kept.has(request) ? { state: "here", answer: kept.get(request) as T } : { state: "loading" };
}

/** Where bytes can be shown or downloaded from; null: the static form does not hold them. */
export function addressOfBytes(request: Request<Bytes>): string | null {
  if (embedded === null) return `/api/${request}`;
  const answer = embedded.answers[request];
  return typeof answer === "string" && answer.startsWith("data:") ? answer : null;
}

/** Browsers send no more once the page is left. */
const MOST_KEPT_ALIVE = 15_000;

export async function send<T>(request: Request<T>, body: unknown): Promise<T> {
  const text = JSON.stringify(body);
  const response = await fetch(`/api/${request}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
    keepalive: text.length < MOST_KEPT_ALIVE,
  });
  if (!response.ok) throw await refused(response);
  const answer = (await response.json()) as T;
  kept.set(request, answer);
  return answer;
}

class Absent extends Error {
  readonly hint = TEXTS.absentHint;
  constructor() {
    super(TEXTS.absent);
  }
}

/** What went wrong, in words for the reader. */
export function failure(problem: unknown): Extract<Answered<never>, { state: "failed" }> {
  if (problem instanceof TypeError)
    return { state: "failed", message: TEXTS.noServer, hint: TEXTS.noServerHint };
  const { message, hint } = problem as { readonly message?: string; readonly hint?: string | null };
  return { state: "failed", message: message ?? String(problem), hint: hint ?? null };
}

async function refused(response: Response): Promise<Error> {
  try {
    const { error } = (await response.json()) as Refusal;
    return Object.assign(new Error(error.message), { hint: error.hint });
  } catch {
    return new Error(TEXTS.answered(response.status));
  }
}

function embeddedData(): StaticData | null {
  const text = document.querySelector("#assay-data")?.textContent ?? "";
  if (text === "") return null;
  return JSON.parse(text) as StaticData;
}
