import { hasEntries, hasUrls, urlsReachable } from "./counts.ts";
import { criterion } from "./criterion.ts";
import { custom } from "./custom.ts";
import { entries, field } from "./extraction.ts";
import { fileMatches } from "./file-matches.ts";
import { fileAbsent, fileExists, fileUnchanged } from "./file-states.ts";
import { fires } from "./fires.ts";
import { hasFormat } from "./has-format.ts";
import { fileJson, finalJson } from "./json-values.ts";
import type { CheckKind } from "./kind.ts";
import { maxLength, minLength } from "./lengths.ts";
import { maxCostUsd, maxDurationSeconds, maxTokens, maxTurns } from "./limits.ts";
import { minCount } from "./min-count.ts";
import { contains, endsWith, notContains, startsWith } from "./needles.ts";
import { noDeniedTools } from "./no-denied-tools.ts";
import { regex } from "./regex.ts";
import { shell } from "./shell.ts";
import { skillLoaded } from "./skill-loaded.ts";
import type { Source } from "./source.ts";
import { toolCalled, toolNotCalled } from "./tool-calls.ts";
import { toolOrder } from "./tool-order.ts";
import { wordCount } from "./word-count.ts";

/** Every kind of check by the name that claims and files have for it. A kind that is not here does not exist. */
export const CHECK_KINDS = {
  contains,
  not_contains: notContains,
  starts_with: startsWith,
  ends_with: endsWith,
  regex,
  min_count: minCount,
  min_length: minLength,
  max_length: maxLength,
  has_urls: hasUrls,
  has_entries: hasEntries,
  urls_reachable: urlsReachable,
  has_format: hasFormat,
  word_count: wordCount,
  final_json: finalJson,
  tool_called: toolCalled,
  tool_not_called: toolNotCalled,
  tool_order: toolOrder,
  skill_loaded: skillLoaded,
  no_denied_tools: noDeniedTools,
  file_exists: fileExists,
  file_absent: fileAbsent,
  file_unchanged: fileUnchanged,
  file_matches: fileMatches,
  file_json: fileJson,
  shell,
  max_cost_usd: maxCostUsd,
  max_tokens: maxTokens,
  max_duration_seconds: maxDurationSeconds,
  max_turns: maxTurns,
  criterion,
  custom,
  field,
  entries,
  fires,
} satisfies Readonly<Record<string, CheckKind<object, Source>>>;

type CheckKinds = typeof CHECK_KINDS;
export type ClaimKind = keyof CheckKinds;

/** What a check says, by its kind. */
export type Claim = ClaimOf<ClaimKind>;

/** The claim of a kind, or of any of several. */
export type ClaimOf<K extends ClaimKind> = {
  [P in K]: Plain<{ readonly kind: P } & ValuesOf<CheckKinds[P]>>;
}[K];

type ValuesOf<T> = T extends CheckKind<infer V, Source> ? V : never;

/** One object type instead of several joined, so that editors show its fields. */
type Plain<T> = { [N in keyof T]: T[N] };

/** The kinds that are decided on a source. */
export type KindReading<R extends Source> = {
  [P in ClaimKind]: CheckKinds[P]["reads"] extends R ? P : never;
}[ClaimKind];

/** What the table says about a claim. */
export function kindOf({ kind }: Claim): CheckKind<Claim, Source> {
  return CHECK_KINDS[kind] as CheckKind<object, Source>;
}

/** How a person reads a claim; its kind's name where only a text of its own says it. */
export function sentenceOf(claim: Claim): string {
  return kindOf(claim).entry?.sentence(claim) ?? claim.kind;
}
