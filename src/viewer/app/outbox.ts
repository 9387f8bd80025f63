import { type Signal, signal } from "@preact/signals";
import type { Request } from "../api.ts";
import { keepEdits, leftEdits } from "./kept-edits.ts";
import { failure, isStatic, load, send } from "./source.ts";

/** `failed`: why, in words; it goes on trying. */
export type SavedState =
  | { readonly state: "saved" | "saving" | "unsaved" }
  | { readonly state: "failed"; readonly why: string };

/** Edits on their way to the server. None is forgotten before the server has written it down, not even with the page. */
export interface Outbox<E, P> {
  /** As the server told it last; null: not yet. */
  readonly page: Signal<P | null>;
  readonly saved: Signal<SavedState>;
  /** Takes the place of one of the same name that was not sent. */
  readonly put: (edit: E, afterMs?: number) => void;
  /** What waits to be sent, in order. */
  readonly waiting: () => readonly E[];
}

interface OutboxOptions<E, P> {
  /** Asks for the page; edits are posted there, and answered with the page as it is then. */
  readonly request: Request<P>;
  /** What an edit changes. */
  readonly nameOf: (edit: E) => string;
  /** An edit that was made while the one before it was sent. */
  readonly follow?: (later: E, sent: E) => E;
}

const RETRY_MS = 2000;

const outboxes = new Map<string, unknown>();

/** One for each request: it outlives the screen that made it. A saved report keeps edits only in the browser, each for itself. */
export function outboxOf<E, P>(options: OutboxOptions<E, P>): Outbox<E, P> {
  const there = outboxes.get(options.request) as Outbox<E, P> | undefined;
  if (there !== undefined) return there;
  const made = open(options);
  outboxes.set(options.request, made);
  return made;
}

function open<E, P>({ request, nameOf, follow = (later) => later }: OutboxOptions<E, P>): Outbox<E, P> {
  const page = signal<P | null>(null);
  const saved = signal<SavedState>({ state: "saved" });
  const place = isStatic ? `${window.location.pathname} ${request}` : request;
  const waiting = new Map((leftEdits(place) as readonly E[]).map((edit) => [nameOf(edit), edit]));
  let isSending = false;
  let sent = 0;
  let timer = 0;

  const later = (ms: number) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void flush(), ms);
  };
  const flush = async () => {
    window.clearTimeout(timer);
    const [next] = waiting;
    if (isSending || isStatic || next === undefined) return;
    const [name, edit] = next;
    isSending = true;
    sent++;
    saved.value = { state: "saving" };
    try {
      page.value = await send(request, edit);
      const newer = waiting.get(name);
      if (newer === edit) waiting.delete(name);
      else if (newer !== undefined) waiting.set(name, follow(newer, edit));
      keepEdits(place, waiting);
      saved.value = { state: waiting.size === 0 ? "saved" : "unsaved" };
      later(0);
    } catch (problem) {
      saved.value = { state: "failed", why: failure(problem).message };
      later(RETRY_MS);
    } finally {
      isSending = false;
    }
  };
  const look = async () => {
    const begun = sent;
    try {
      const answer = await load(request);
      if (isSending || sent !== begun) return;
      page.value = answer;
      if (waiting.size === 0) saved.value = { state: "saved" };
    } catch (problem) {
      saved.value = { state: "failed", why: failure(problem).message };
    }
  };
  const refresh = () => {
    if (waiting.size > 0 && !isStatic) void flush();
    void look();
  };
  window.addEventListener("pagehide", () => void flush());
  window.addEventListener("focus", refresh);
  window.addEventListener("beforeunload", (event) => {
    if (waiting.size > 0 && saved.peek().state === "failed") event.preventDefault();
  });
  refresh();
  return {
    page,
    saved,
    put: (edit, afterMs = 0) => {
      const name = nameOf(edit);
      waiting.delete(name);
      waiting.set(name, edit);
      keepEdits(place, waiting);
      if (saved.peek().state !== "failed") saved.value = { state: "unsaved" };
      later(afterMs);
    },
    waiting: () => [...waiting.values()],
  };
}
