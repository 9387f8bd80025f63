import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { numberOrNull } from "../../lib/loose.ts";

/** The tokens that clauditor and BMad write down. */
export function usageIn(told: unknown): Usage {
  return {
    ...UNKNOWN_USAGE,
    inputTokens: numberOrNull(told, "input_tokens"),
    outputTokens: numberOrNull(told, "output_tokens"),
  };
}
