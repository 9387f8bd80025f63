import type { JsonObject } from "../../../domain/json.ts";
import type { Located } from "../../../lib/shape/values.ts";
import type { AssayKey } from "../../assay-key.ts";
import type { BmadCase, BmadEval, DeclaredFile } from "./shape.ts";

/** A task as its entry says it, before anything around the file was looked at. */
export interface Task {
  readonly offset: number;
  readonly id: Located<string | number>;
  readonly prompt: Located<string>;
  readonly expectedOutput: string | null;
  readonly statements: readonly string[];
  /** Check ids are this word and a number. */
  readonly noun: "expectation" | "rubric";
  readonly files: readonly Located<DeclaredFile>[];
  readonly timeout: number | null;
  readonly assay: AssayKey | null;
  readonly extras: JsonObject;
}

export function fromEval({ value, offset }: Located<BmadEval>): Task {
  return {
    offset,
    id: value.id,
    prompt: value.prompt,
    files: value.files,
    timeout: value.timeout,
    assay: value.assay,
    extras: value.extras,
    expectedOutput: value.expected_output,
    statements: value.expectations,
    noun: "expectation",
  };
}

/** The state and the input are one message, a blank line between them. */
export function fromCase({ value, offset }: Located<BmadCase>): Task {
  const { input, state_prefix: prefix } = value;
  return {
    offset,
    id: value.id,
    files: value.files,
    timeout: value.timeout,
    assay: value.assay,
    prompt: { ...input, value: (prefix ?? "") === "" ? input.value : `${prefix}\n\n${input.value}` },
    expectedOutput: null,
    statements: value.rubric,
    noun: "rubric",
    extras: { ...(prefix === null ? {} : { state_prefix: prefix }), ...value.extras },
  };
}
