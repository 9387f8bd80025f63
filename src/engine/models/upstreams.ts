import { NO_SERVICE } from "../../gateway/cassette/cassettes.ts";
import type { Upstream } from "../../gateway/upstream.ts";
import type { Machine } from "../../machine.ts";

/** The model services this environment has keys or addresses for. Keys stay here and in the gateway. */
export function upstreamsOf({ env }: Pick<Machine, "env">): readonly Upstream[] {
  const anthropicKey = filled(env["ANTHROPIC_API_KEY"]);
  const anthropicToken = filled(env["ANTHROPIC_AUTH_TOKEN"]);
  const anthropicUrl = filled(env["ANTHROPIC_BASE_URL"]);
  const openaiKey = filled(env["OPENAI_API_KEY"]) ?? filled(env["CODEX_API_KEY"]);
  const openaiUrl = filled(env["OPENAI_BASE_URL"]);
  const geminiKey = filled(env["GEMINI_API_KEY"]) ?? filled(env["GOOGLE_API_KEY"]);
  const compatibleUrl = filled(env["ASSAY_MODEL_URL"]);
  return [
    anthropicKey !== null || anthropicToken !== null || anthropicUrl !== null
      ? {
          name: "anthropic",
          wires: ["messages" as const],
          baseUrl: anthropicUrl ?? "https://api.anthropic.com",
          key: anthropicKey ?? anthropicToken,
          keyHeader:
            anthropicKey === null && anthropicToken !== null
              ? ("authorization" as const)
              : ("x-api-key" as const),
        }
      : null,
    openaiKey !== null || openaiUrl !== null
      ? {
          name: "openai",
          wires: ["responses" as const, "chat" as const],
          baseUrl: openaiUrl ?? "https://api.openai.com/v1",
          key: openaiKey,
          keyHeader: "authorization" as const,
        }
      : null,
    geminiKey !== null
      ? {
          name: "gemini",
          wires: ["gemini" as const],
          baseUrl: filled(env["GOOGLE_GEMINI_BASE_URL"]) ?? "https://generativelanguage.googleapis.com",
          key: geminiKey,
          keyHeader: "x-goog-api-key" as const,
        }
      : null,
    compatibleUrl !== null
      ? {
          name: "openai-compatible",
          wires: ["chat" as const],
          baseUrl: compatibleUrl,
          key: filled(env["ASSAY_MODEL_KEY"]),
          keyHeader: "authorization" as const,
        }
      : null,
  ].filter((upstream) => upstream !== null);
}

/** What a replay needs instead of services: names to ask for, and nobody behind them. */
export const REPLAYED: readonly Upstream[] = ["openai", "anthropic"].map((name) => ({ ...NO_SERVICE, name }));

function filled(value: string | undefined): string | null {
  return value === undefined || value.trim() === "" ? null : value.trim();
}
