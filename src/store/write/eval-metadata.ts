import type { Case } from "../../domain/suite.ts";
import type { Variant } from "../../domain/trial.ts";

/** eval_metadata.json, which skill-creator's viewer looks for beside the runs and its aggregator in the eval's folder. */
export interface EvalMetadataFile {
  readonly eval_id: number;
  readonly eval_name: string;
  readonly prompt: string;
  readonly assertions: readonly string[];
  /** The case's own id. */
  readonly id: string;
}

/** The prompt is the one of `variant`: without a skill an invocation is its bare arguments. */
export function evalMetadataFile(
  one: Case,
  evalId: number,
  variant: Variant = "with_skill",
  skill = "",
): EvalMetadataFile {
  return {
    eval_id: evalId,
    eval_name: one.name ?? one.id,
    prompt: promptText(one, variant, skill),
    assertions: one.checks.map((check) => check.text),
    id: one.id,
  };
}

export function promptText(one: Case, variant: Variant, skill: string): string {
  if (one.prompt.kind === "turns") return one.prompt.turns.join("\n\n");
  return variant === "without_skill" ? one.prompt.args : `/${skill} ${one.prompt.args}`.trim();
}
