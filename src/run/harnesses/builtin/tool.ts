import type { Outcome } from "../../../domain/run.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { ToolSpec } from "../../../providers/provider.ts";
import type { HarnessContext } from "../../harness.ts";
import type { OfferedSkill } from "./skills.ts";

/** Something the model can do. Names and inputs are spelled as Claude Code spells them, so that checks written for it hold here. */
export interface Tool {
  readonly spec: ToolSpec;
  use(input: JsonObject, bench: ToolBench): Promise<Used>;
}

export interface ToolBench {
  readonly context: HarnessContext;
  readonly skills: readonly OfferedSkill[];
}

/** What came of a call. */
export interface Used {
  readonly output: string;
  readonly isError: boolean;
  /** The skill that was taken up by it. */
  readonly skill?: string;
  /** The agent's last words: its turn is over. */
  readonly answer?: string;
  /** The whole run is over. */
  readonly forced?: Outcome | null;
  readonly notes?: readonly string[];
}

export function failed(output: string): Used {
  return { output, isError: true };
}

/** The texts of an input under these keys; a sentence for the model when one is missing or no text. */
export function texts<K extends string>(
  input: JsonObject,
  keys: readonly K[],
): { readonly [P in K]: string } | { readonly problem: string } {
  const wrong = keys.filter((key) => typeof input[key] !== "string");
  if (wrong.length > 0) return { problem: `the input needs ${wrong.join(" and ")} as text` };
  return Object.fromEntries(keys.map((key) => [key, input[key]])) as { readonly [P in K]: string };
}

export function schemaOf(
  required: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, { type: string; description: string }>> = {},
): JsonObject {
  const needed = Object.entries(required).map(([key, description]) => [key, { type: "string", description }]);
  return {
    type: "object",
    properties: { ...Object.fromEntries(needed), ...optional } as JsonObject,
    required: Object.keys(required),
  };
}
