import type { CheckedClaim } from "../../domain/grading.ts";
import { toPlain } from "../../lib/document/node.ts";
import { listAt, numberOrNull, objectAt, textAt, textsAt } from "../../lib/loose.ts";
import { closedObject, listOf } from "../../lib/shape/closed-schema.ts";
import { type JsonSchema, type Shape } from "../../lib/shape/shape.ts";
import { anything, list } from "../../lib/shape/values.ts";
import { object, optional, required } from "../../lib/shape/object.ts";

/** What a judge says about a set of criteria. Nothing in it is believed before it was looked at. */
export interface CriteriaReply {
  readonly verdicts: readonly SaidVerdict[];
  readonly claims: readonly CheckedClaim[];
  readonly feedback: {
    readonly suggestions: readonly { readonly criterion: number | null; readonly reason: string }[];
    readonly overall: string;
  };
}

export interface SaidVerdict {
  readonly index: number | null;
  readonly evidence: readonly SaidEvidence[];
  readonly reason: string;
  /** Null for anything but true and false. */
  readonly passed: boolean | null;
  readonly score: number | null;
}

export interface SaidEvidence {
  readonly kind: string;
  readonly text: string;
  readonly sources: readonly string[];
}

const EVIDENCE_KINDS = ["quote", "absence", "image", "unreadable"] as const;
const CLAIM_TYPES = ["factual", "process", "quality"] as const;

const outer = object(
  {
    verdicts: required(list(anything())),
    claims: optional(anything()),
    eval_feedback: optional(anything()),
  },
  { unknownKeys: "allowed" },
);

/**
 * Strict in what is asked for, so that services which can enforce it do; lenient in reading, so that one odd verdict
 * does not cost the others.
 */
export const criteriaReply: Shape<CriteriaReply> = {
  schema: schema(),
  read(node, context) {
    const raw = outer.read(node, context);
    if (typeof raw === "symbol") return raw;
    return {
      verdicts: listAt(toPlain(node), "verdicts").map(toVerdict),
      claims: listAt(raw.claims).flatMap(toClaim),
      feedback: {
        suggestions: listAt(raw.eval_feedback, "suggestions").flatMap(toSuggestion),
        overall: textAt(raw.eval_feedback, "overall"),
      },
    };
  },
};

function toVerdict(raw: unknown): SaidVerdict {
  const { passed } = objectAt(raw);
  return {
    index: numberOrNull(raw, "index"),
    evidence: listAt(raw, "evidence").map((piece) => ({
      kind: textAt(piece, "kind"),
      text: textAt(piece, "text"),
      sources: textsAt(piece, "sources") ?? [],
    })),
    reason: textAt(raw, "reason"),
    passed: typeof passed === "boolean" ? passed : null,
    score: numberOrNull(raw, "score"),
  };
}

function toClaim(raw: unknown): readonly CheckedClaim[] {
  const claim = textAt(raw, "claim");
  const type = CLAIM_TYPES.find((known) => known === textAt(raw, "type"));
  const { verified } = objectAt(raw);
  if (claim.trim() === "" || type === undefined || typeof verified !== "boolean") return [];
  return [{ claim, type, verified, evidence: textAt(raw, "evidence") }];
}

function toSuggestion(raw: unknown): readonly { criterion: number | null; reason: string }[] {
  const reason = textAt(raw, "reason").trim();
  return reason === "" ? [] : [{ criterion: numberOrNull(raw, "criterion"), reason }];
}

function schema(): JsonSchema {
  const text = { type: "string" };
  return closedObject({
    verdicts: listOf(
      closedObject({
        index: { type: "integer" },
        evidence: listOf(closedObject({ kind: { enum: EVIDENCE_KINDS }, text, sources: listOf(text) })),
        reason: text,
        passed: { type: "boolean" },
        score: { type: "number" },
      }),
    ),
    claims: listOf(
      closedObject({
        claim: text,
        type: { enum: CLAIM_TYPES },
        evidence: text,
        verified: { type: "boolean" },
      }),
    ),
    eval_feedback: closedObject({
      suggestions: listOf(
        closedObject({ criterion: { anyOf: [{ type: "integer" }, { type: "null" }] }, reason: text }),
      ),
      overall: text,
    }),
  });
}
