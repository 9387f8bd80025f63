import type { Check } from "../domain/check.ts";
import type { Case, CaseSettings } from "../domain/suite.ts";

/** A part of a case that some format cannot express. Checks, reference and servers fit the `assay` key. */
export type LosablePart =
  | "name"
  | "expected-output"
  | "turns"
  | "invocation"
  | "files"
  | "inline-files"
  | "overlays"
  | "output"
  | "setup"
  | "teardown"
  | "sections"
  | keyof CaseSettings;

/** What a case says beyond the parts a format can keep, as nouns: `the setup script`. */
export function lostParts(evalCase: Case, kept: readonly LosablePart[]): readonly string[] {
  const parts = Object.entries(NOUNS) as [keyof typeof NOUNS, (evalCase: Case) => string | null][];
  const lost = parts.filter(([part]) => !kept.includes(part)).map(([, noun]) => noun(evalCase));
  const settings = Object.entries(evalCase.settings) as [keyof CaseSettings, unknown][];
  return [
    ...lost.filter((noun) => noun !== null),
    ...settings
      .filter(([key, value]) => value !== null && !kept.includes(key))
      .map(([key]) => `the setting ${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`),
  ];
}

const NOUNS = {
  name: ({ name }) => (name === null ? null : `the name ${JSON.stringify(name)}`),
  "expected-output": ({ expectedOutput }) => (expectedOutput === null ? null : "the expected output"),
  turns: ({ prompt }) => (prompt.kind === "turns" && prompt.turns.length > 1 ? "the separate turns" : null),
  invocation: ({ prompt }) => (prompt.kind === "invocation" ? "the invocation of the skill by name" : null),
  files: ({ files }) => {
    const paths = files.filter((file) => file.kind === "path").map((file) => file.declared);
    return paths.length === 0 ? null : `the files ${paths.join(", ")}`;
  },
  "inline-files": ({ files }) => {
    const names = files.filter((file) => file.kind === "inline").map((file) => file.target);
    return names.length === 0 ? null : `the inline files ${names.join(", ")}`;
  },
  overlays: ({ overlays }) => (overlays.length === 0 ? null : "the overlay directories"),
  output: ({ output }) => (output.kind === "messages" ? null : "the output files"),
  setup: ({ setup }) => (setup === null ? null : "the setup script"),
  teardown: ({ teardown }) => (teardown === null ? null : "the teardown script"),
  sections: ({ sections }) =>
    sections.length === 0 ? null : `the sections ${sections.map((section) => section.name).join(", ")}`,
} satisfies Record<Exclude<LosablePart, keyof CaseSettings>, (evalCase: Case) => string | null>;

/** Whether an author misses a key that another format cannot express: comments are kept, and each format has its own schema. */
export function isLostKey(key: string): boolean {
  return !key.startsWith("_") && key !== "$schema";
}

/** What is lost when a check is written as a bare statement or entry, as nouns. */
export function lostWithCheck(check: Check): readonly string[] {
  const nouns: string[] = [];
  if (!GENERATED_ID.test(check.id)) nouns.push(`the check's id ${JSON.stringify(check.id)}`);
  if (check.origin !== null) {
    nouns.push(`other details of the check ${JSON.stringify(check.text)}`);
  }
  return nouns;
}

/** Ids made from a position say nothing that the position does not. */
const GENERATED_ID = /^(?:expectation|assertion|rubric|criterion|check)-\d+$|^expected$/;

/** The check under the id it will be read back with. */
export function withId(check: Check, id: string): Check {
  return { ...check, id };
}
