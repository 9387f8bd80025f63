import { sightOf } from "../../domain/event-texts.ts";
import type { SearchHit, SearchPage, TimelinePage } from "../../domain/run-pages.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { ask } from "../api.ts";

type Answers = Readonly<Record<string, unknown>>;

/** In one answer; the others are only counted, as the server does. */
const MOST_HITS = 200;

/** The answer to a search in the timelines that a report holds: in all of it, whole events where it holds them. */
export function searchHeld(answers: Answers, request: string): SearchPage {
  const asked = new URLSearchParams(request.slice(request.indexOf("?") + 1));
  const [skill, n, only, query] = ["skill", "n", "trial", "q"].map((name) => asked.get(name) ?? "");
  const lower = (query ?? "").toLowerCase();
  const hits: SearchHit[] = [];
  const runs = new Set<string>();
  let count = 0;
  for (const [held, answer] of Object.entries(answers)) {
    if (lower === "" || !held.startsWith("timeline?")) continue;
    const of = new URLSearchParams(held.slice("timeline?".length));
    const trial = of.get("trial") ?? "";
    if (of.get("skill") !== skill || of.get("n") !== n || (only !== "" && trial !== only)) continue;
    for (const { event: shown, cut } of (answer as TimelinePage).events) {
      if (shown === null) continue;
      const at = { skill: skill ?? "", n: Number(n), trial };
      const whole =
        cut === 0 ? undefined : (answers[ask.event(at, shown.index)] as TranscriptEvent | undefined);
      const sight = sightOf(whole ?? shown, lower);
      if (sight === null) continue;
      count++;
      runs.add(trial);
      if (hits.length < MOST_HITS) hits.push({ trial, event: shown.index, kind: shown.kind, ...sight });
    }
  }
  return { query: query ?? "", hits, count, runs: runs.size, done: true, next: null };
}
