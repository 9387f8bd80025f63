import type { Usage } from "../../domain/run.ts";
import { optionalOrNull } from "../../lib/shape/object.ts";
import { fields } from "../../lib/shape/read-plain.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { number } from "../../lib/shape/values.ts";

const count = () => optionalOrNull(number({ min: 0 }));

/** What is left out is unknown. */
export const USAGE: Shape<Usage> = fields({
  inputTokens: count(),
  outputTokens: count(),
  cacheReadTokens: count(),
  cacheWriteTokens: count(),
  reasoningTokens: count(),
  costUsd: count(),
});
