import { useEffect, useState } from "preact/hooks";
import type { RunAddress, TimelineEvent, TimelineIndex } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { isStatic, useAnswer } from "../../source.ts";

/** Shorter waits are for nobody to see. */
const PATIENCE_MS = 150;

/**
 * An index of a timeline's first page, made from the page itself; for a transcript so long that its own index takes a while. Null
 * as long as nobody waits, or there is none.
 */
export function useBeginning(at: RunAddress, waiting: boolean): TimelineIndex | null {
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!waiting || isStatic) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [waiting, at.skill, at.n, at.trial]);
  const first = useAnswer(waiting && long ? ask.timeline(at, 0) : null);
  if (first.state !== "here" || first.answer.events.length === 0) return null;
  const { events } = first.answer;
  return {
    at,
    events: events.length,
    bytes: 0,
    kinds: events.map(letterOf).join(""),
    pageSize: events.length,
    tokens: [],
    problems: [],
  };
}

function letterOf({ event }: TimelineEvent): string {
  if (event === null) return "?";
  switch (event.kind) {
    case "message":
      return event.role === "user" ? "u" : "a";
    case "tool-result":
      return event.isError || event.denied ? "x" : "r";
    case "tool-call":
      return "c";
    case "usage":
      return "g";
    default:
      return event.kind.charAt(0);
  }
}
