import { readFile } from "node:fs/promises";
import type { Section } from "../../domain/check.ts";
import type { Extraction } from "../../domain/grading.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import type { Passage } from "../evidence/passage.ts";
import type { Answer, Judge } from "../judge.ts";
import { type Ground, groundOf, ungrounded } from "./grounded.ts";
import { extractionQuestion } from "./question.ts";
import type { ExtractedSections } from "./reply.ts";

export interface Extracted {
  readonly extraction: Extraction;
  readonly ground: Ground;
  /** The output as the model was shown it; one value for all lookups, which are then quick. */
  readonly shown: readonly Passage[];
  /** An answer was remembered from an earlier grading. */
  readonly cached: boolean;
}

/** The longest output that a model is asked to copy from: counts from a part of it would be wrong. */
const MOST_BYTES = 400_000;

/**
 * One question for all sections of the case, and one more with the problem named when values in the reply do not stand in
 * the output. An empty output has no entries, and nobody is asked.
 */
export async function extract(
  judge: Judge,
  sections: readonly Section[],
  output: { readonly path: string; readonly bytes: number },
  signal: AbortSignal,
): Promise<Extracted> {
  const { model, name, transport = "api" } = judge;
  const none = { model, judge: name, transport, sections: {}, problems: [], usage: UNKNOWN_USAGE };
  if (output.bytes > MOST_BYTES) {
    const problem = `the output has ${output.bytes} bytes, more than the ${MOST_BYTES} that are extracted from`;
    return { extraction: { ...none, problems: [problem] }, ground: groundOf(""), shown: [], cached: false };
  }
  const text = await readFile(output.path, "utf8").catch((error: unknown) => error as Error);
  if (typeof text !== "string") {
    const problem = `the output cannot be read: ${text.message}`;
    return { extraction: { ...none, problems: [problem] }, ground: groundOf(""), shown: [], cached: false };
  }
  const ground = groundOf(text);
  const shown = [{ text, line: 1 }];
  if (text.trim() === "")
    return { extraction: { ...none, sections: empty(sections) }, ground, shown, cached: false };
  let best: Best | null = null;
  let problem = "";
  let usage = UNKNOWN_USAGE;
  let cached = false;
  for (let attempt = 1; attempt <= 2 && (best === null || best.made.length > 0); attempt++) {
    const question = extractionQuestion(sections, text, named(best));
    const answer: Answer<ExtractedSections> = await judge.ask(question, signal);
    usage = addUsage(usage, answer.usage);
    if (answer.status === "unanswered") {
      problem = answer.reason;
      break;
    }
    cached ||= answer.cached;
    const made = ungrounded(sections, answer.value, ground);
    if (best === null || made.length < best.made.length) best = { found: answer.value, made };
  }
  const extraction =
    best === null
      ? { ...none, problems: [`the model gave no usable extraction: ${problem}`], usage }
      : { ...none, sections: best.found, usage };
  return { extraction, ground, shown, cached };
}

/** The reply with the fewest values that do not stand in the output. */
interface Best {
  readonly found: ExtractedSections;
  readonly made: readonly string[];
}

/** Enough of the problems for a model to see what is meant. */
function named(best: Best | null): readonly string[] {
  return best?.made.slice(0, 12) ?? [];
}

function empty(sections: readonly Section[]): ExtractedSections {
  return Object.fromEntries(
    sections.map((section) => [
      section.name,
      Object.fromEntries(section.tiers.map((tier) => [tier.label, []])),
    ]),
  );
}
