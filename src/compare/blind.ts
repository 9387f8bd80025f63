import type { TranscriptEvent } from "../domain/transcript.ts";
import type { Subject } from "../grade/subject.ts";
import type { Pair } from "./pair.ts";

/**
 * What a run gave, without how it came about: tool calls show the skill's own text. Only what the agent said and the
 * files are left.
 */
export function blindSubject(subject: Subject): Subject {
  return {
    ...subject,
    skill: null,
    only: "output",
    transcript: () => said(subject.transcript()),
    run: { ...subject.run, changes: subject.run.changes.filter(({ change }) => change !== "deleted") },
  };
}

/**
 * What the agent said. Not what it was told: that is in the question, and calls the skill by name in one variant only.
 * Numbered anew, because gaps would tell how much was done in between.
 */
async function* said(transcript: AsyncIterable<TranscriptEvent>): AsyncIterable<TranscriptEvent> {
  let index = 0;
  for await (const event of transcript) {
    if (event.kind === "message" && event.role === "assistant" && event.agent === null)
      yield { ...event, index: index++ };
  }
}

/** As `hider`, and hides that a skill was used: the other side may have had none. */
export function pairHider({ first, second }: Pair, markers: readonly string[]): (text: string) => string {
  const skills = [first, second].flatMap(({ subject }) => subject.skill ?? []);
  return hider([...markers, ...skills.flatMap(skillPhrases)]);
}

/** How an agent speaks of a skill that it uses. */
function skillPhrases(skill: string): readonly string[] {
  return [
    `${skill} skill`,
    `skill ${skill}`,
    `skill: ${skill}`,
    `skill "${skill}"`,
    `\`${skill}\` skill`,
    `/${skill}`,
  ];
}

/**
 * Takes out of a text what tells one version from the other: `markers` of either, the names of variants, numbers of
 * iterations, and the places where runs take place. A marker that is an ordinary word or number stays: it would be taken
 * out of sentences that mean something else.
 */
export function hider(markers: readonly string[]): (text: string) => string {
  const told = [...new Set(markers.map((marker) => marker.trim()))]
    .filter((marker) => !/^(?:\p{L}+|\d*|.)$/u.test(marker))
    .toSorted((a, b) => b.length - a.length)
    .map((marker) => marker.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const own =
    told.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])v?(?:${told.join("|")})(?![\\p{L}\\p{N}_])`, "giu");
  return (text) => {
    const bare = own === null ? text : text.replaceAll(own, HIDDEN);
    return bare
      .replaceAll(WORKSPACE, "/workspace")
      .replaceAll(ITERATION, "iteration")
      .replaceAll(SKILL_FILE, HIDDEN)
      .replaceAll(VARIANT, "variant");
  };
}

const HIDDEN = "[hidden]";
const WORKSPACE = /(?:\/[\w.-]+)*\/assay-[0-9a-f]{8}\b(?:\/[0-9a-z]+(?=\/))?/g;
const ITERATION = /\biteration-\d+\b/g;
const SKILL_FILE = /(?:[\w.-]+\/)*SKILL\.md\b/g;
const VARIANT = /\b(?:with|without|old|new)_skill\b/g;
