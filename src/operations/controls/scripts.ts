import type { Json } from "../../domain/json.ts";
import type { Case } from "../../domain/suite.ts";

/** What the scripted harness plays for an agent that starts, says nothing, does nothing, and ends well. */
export const NOTHING: Json = { replies: [{ steps: [] }] };

/** An agent that leaves the case's reference answer behind: its files, and its text in the last turn. */
export function referenceScript({ reference, prompt }: Case): Json {
  const turns = prompt.kind === "turns" ? prompt.turns.length : 1;
  const writes = Object.entries(reference?.files ?? {}).map(([path, content]) => ({
    write: { path, content },
  }));
  const text = reference?.output ?? null;
  return {
    replies: [
      { when: { turn: turns }, steps: [...writes, ...(text === null ? [] : [{ text }])] },
      { steps: [] },
    ],
  };
}
