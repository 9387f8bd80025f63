import type { Session, SessionEvent } from "./session.ts";

/** Something the user had to say after the agent had done its work. */
export interface Correction {
  readonly text: string;
  /** Files that the agent wrote after it, as the log names them. */
  readonly wrote: readonly string[];
}

export interface ToldTurns {
  /** What the agent was asked, without corrections and courtesies, up to the last turn that was corrected. */
  readonly asked: readonly string[];
  readonly corrections: readonly Correction[];
}

/** Splits what the user typed into what was asked and what was corrected. */
export function toldTurns({ events }: Pick<Session, "events">): ToldTurns {
  const asked: { readonly text: string; readonly at: number }[] = [];
  const corrections: (Correction & { readonly at: number })[] = [];
  events.forEach((event, at) => {
    if (event.kind !== "user" || isCourtesy(event.text)) return;
    const isAnswered = events.slice(0, at).some(({ kind }) => kind === "assistant" || kind === "wrote");
    if (isAnswered && asked.length > 0 && isCorrection(event.text))
      corrections.push({ text: event.text, wrote: writtenAfter(events, at), at });
    else asked.push({ text: event.text, at });
  });
  const last = corrections.at(-1)?.at ?? Infinity;
  return {
    asked: asked.filter(({ at }) => at < last).map(({ text }) => text),
    corrections: corrections.map(({ text, wrote }) => ({ text, wrote })),
  };
}

/** Up to what the user says next. */
function writtenAfter(events: readonly SessionEvent[], at: number): readonly string[] {
  const next = events.findIndex((event, index) => index > at && event.kind === "user");
  const part = events.slice(at + 1, next === -1 ? undefined : next);
  return [...new Set(part.flatMap((event) => (event.kind === "wrote" ? [event.path] : [])))];
}

const CORRECTS: readonly RegExp[] = [
  /^\W*(?:no|nope|nah|wrong|stop|wait|hmm|ugh|actually|incorrect|again|still|almost|close|but)\b/i,
  /\b(?:not what i|that'?s (?:not|wrong)|this is (?:not|wrong)|you (?:forgot|missed|ignored|should(?:n'?t)? have|were (?:not )?supposed|did(?:n'?t| not))|i (?:said|asked|wanted|meant|told you)|why did(?:n'?t)? you)\b/i,
  /\b(?:instead of|rather than|should(?:n'?t| not)? (?:be|have|use|say|go|start|end|contain|look)|must(?:n'?t| not)? (?:be|have|use|say|go|start|end|contain)|needs? to (?:be|have|say|start|end))\b/i,
  /^\W*(?:please\s+)?(?:don'?t|do not|never|always|use|remove|drop|fix|change|rename|move|replace|redo)\b/i,
];

function isCorrection(text: string): boolean {
  return CORRECTS.some((pattern) => pattern.test(text.slice(0, 400)));
}

function isCourtesy(text: string): boolean {
  return /^\W*(?:thanks?(?: you)?|thx|ok(?:ay)?|great|perfect|nice|cool|good|yes|yep|sure|go on|continue|lgtm|done)(?:[\s,!.]+(?:thanks?|thank you|great|perfect|that works|looks good|a lot))*\W*$/i.test(
    text,
  );
}
