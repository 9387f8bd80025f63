import { expect, it } from "vitest";
import type { LimitClaim } from "../../domain/check.ts";
import { type Run, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { verdictOn } from "../fixtures/decide.ts";

const limit = (kind: LimitClaim["kind"], most: number): LimitClaim => ({ kind, limit: most });
const usage = (known: Partial<Usage>): Partial<Run> => ({ usage: { ...UNKNOWN_USAGE, ...known } });

it.each<[LimitClaim, Partial<Run>, string, string]>([
  [limit("max_cost_usd", 0.05), usage({ costUsd: 0.05 }), "passed", "0.05 US dollars, at most 0.05 allowed"],
  [
    limit("max_cost_usd", 0.05),
    usage({ costUsd: 0.051 }),
    "failed",
    "0.051 US dollars, at most 0.05 allowed",
  ],
  [limit("max_cost_usd", 0), usage({ costUsd: 0 }), "passed", "0 US dollars, at most 0 allowed"],
  [
    limit("max_tokens", 160),
    usage({ inputTokens: 100, outputTokens: 50, cacheReadTokens: 10 }),
    "passed",
    "160 tokens",
  ],
  [
    limit("max_tokens", 159),
    usage({ inputTokens: 100, outputTokens: 50, cacheWriteTokens: 10 }),
    "failed",
    "160 tokens",
  ],
  [limit("max_duration_seconds", 1.5), { durationMs: 1500 }, "passed", "1.5 seconds"],
  [limit("max_duration_seconds", 1), { durationMs: 1001 }, "failed", "1.001 seconds"],
  [limit("max_turns", 2), { steps: 2 }, "passed", "2 turns"],
  [limit("max_turns", 2), { steps: 3 }, "failed", "3 turns"],
])("%j on %j is %s", async (claim, run, status, text) => {
  const verdict = await verdictOn(claim, { run });
  expect(verdict.status).toBe(status);
  expect(verdict.evidence).toMatchObject([
    { kind: "measure", text: expect.stringContaining(text) as string },
  ]);
});

it.each<[LimitClaim["kind"], Partial<Run>]>([
  ["max_cost_usd", usage({ inputTokens: 5, outputTokens: 5 })],
  ["max_tokens", usage({ inputTokens: 5 })],
  ["max_turns", { steps: 0 }],
])("%s is unscored where the client does not report it", async (kind, run) => {
  expect(await verdictOn({ kind, limit: 1e9 }, { run })).toMatchObject({
    status: "unscored",
    reason: expect.stringContaining("does not report") as string,
  });
});
