import type { JsonObject } from "../domain/json.ts";
import type { Usage } from "../domain/run.ts";

/** What models cost, from a table that comes with Assay: no network, and the same money for the same tokens tomorrow. */
export interface Prices {
  /** Dollars; null when the model, its price or the token counts are not known, never 0 for that. */
  priceOf(model: string, usage: Usage): number | null;
  /** For the manifest of an iteration. */
  readonly snapshot: JsonObject;
}

/** The version of `@pydantic/genai-prices` that is bundled. */
const VERSION = "0.1.8";

/** `at` chooses among prices that changed over time. The table is large, so it is only loaded when something is priced. */
export async function loadPrices(at: Date): Promise<Prices> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  return {
    snapshot: { table: "@pydantic/genai-prices", version: VERSION, at: at.toISOString() },
    priceOf(model, usage) {
      const { inputTokens, outputTokens } = usage;
      if (inputTokens === null || outputTokens === null) return null;
      const cacheRead = usage.cacheReadTokens ?? 0;
      const cacheWrite = usage.cacheWriteTokens ?? 0;
      const counts = {
        input_tokens: inputTokens + cacheRead + cacheWrite,
        output_tokens: outputTokens,
        cache_read_tokens: cacheRead,
        cache_write_tokens: cacheWrite,
      };
      if (Object.values(counts).some((count) => !Number.isFinite(count) || count < 0)) return null;
      const price = calcPrice(counts, model, { timestamp: at });
      if (price === null) return null;
      const known = (key: string, tokens: number) => tokens === 0 || price.model_price[key] !== undefined;
      const whole = known("input_mtok", counts.input_tokens) && known("output_mtok", outputTokens);
      return whole ? price.total_price : null;
    },
  };
}
