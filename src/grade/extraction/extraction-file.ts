import type { Check } from "../../domain/check.ts";
import type { Extraction } from "../../domain/grading.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Case } from "../../domain/suite.ts";
import type { Verdict } from "../../domain/verdict.ts";

/** What else extraction.json says of itself. */
export interface ExtractionHead {
  readonly skillName: string | null;
  readonly transport: "api" | "cli";
  readonly provider: string;
  readonly harness: string;
}

/**
 * extraction.json as clauditor's version 5 has it, every declared field with a list, possibly empty; beside it the raw
 * entries, the status of each verdict and what became of the numbers of entries.
 */
export function extractionFile(
  head: ExtractionHead,
  one: Case,
  extraction: Extraction,
  verdicts: readonly Verdict[],
): JsonObject {
  const { usage } = extraction;
  const ofCheck = (check: Check): readonly Verdict[] =>
    verdicts.filter((verdict) => verdict.checkId === check.id);
  return {
    schema_version: 5,
    skill_name: head.skillName ?? "",
    model: extraction.model,
    transport_source: head.transport,
    provider_source: head.provider,
    harness: head.harness,
    input_tokens: usage.inputTokens ?? 0,
    output_tokens: usage.outputTokens ?? 0,
    reasoning_tokens: usage.reasoningTokens,
    parse_errors: extraction.problems,
    fields: Object.fromEntries(
      one.checks.flatMap((check): (readonly [string, Json])[] =>
        check.kind === "field" ? [[check.id, fieldEntries(check, extraction, ofCheck(check))]] : [],
      ),
    ),
    entries: one.checks.flatMap((check): JsonObject[] =>
      check.kind === "entries"
        ? ofCheck(check).map((verdict) => ({
            id: check.id,
            section: check.section,
            tier: check.tier,
            count: extraction.sections[check.section]?.[check.tier]?.length ?? null,
            min: check.min,
            max: check.max,
            passed: verdict.status === "passed",
            status: verdict.status,
          }))
        : [],
    ),
    raw: extraction.sections,
  };
}

function fieldEntries(
  check: Check & { readonly kind: "field" },
  { sections }: Extraction,
  verdicts: readonly Verdict[],
): readonly JsonObject[] {
  return verdicts.flatMap((verdict): JsonObject[] => {
    const entry = verdict.entry === null ? undefined : sections[check.section]?.[check.tier]?.[verdict.entry];
    if (entry === undefined) return [];
    const value = entry[check.field.name] ?? null;
    const present = value !== null && value !== "";
    const formatted = check.field.format === null || !present || verdict.status === "unscored";
    return [
      {
        field_name: check.field.name,
        section: check.section,
        tier: check.tier,
        entry_index: verdict.entry,
        required: check.field.required,
        passed: verdict.status === "passed",
        presence_passed: present || !check.field.required,
        format_passed: formatted ? null : verdict.status === "passed",
        evidence: value === null ? "" : String(typeof value === "object" ? JSON.stringify(value) : value),
        status: verdict.status,
        reason: verdict.reason,
        value,
      },
    ];
  });
}
