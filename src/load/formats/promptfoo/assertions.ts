import type { Claim } from "../../../domain/check.ts";
import type { Json } from "../../../domain/json.ts";
import { absent, literally, occurs, pythonSpelling } from "../../../lib/js-pattern.ts";

/** What one assertion asks for, with its `file://` and templates resolved. */
export interface Asked {
  /** Without a leading `not-`. */
  readonly type: string;
  readonly isNegated: boolean;
  readonly value: Json | undefined;
  readonly threshold: number | null;
}

export type Made =
  | { readonly claims: readonly Claim[] }
  | { readonly criteria: readonly string[] }
  /** The end of a sentence that begins with the assertion's type. */
  | { readonly unmapped: string; readonly hint?: string }
  | { readonly wrong: string };

/** The checks an assertion becomes, or why it becomes none. */
export function assertionChecks(asked: Asked): Made {
  const known = Object.hasOwn(KINDS, asked.type) ? KINDS[asked.type] : undefined;
  if (known !== undefined) return known(asked);
  const why = Object.hasOwn(REASONS, asked.type) ? REASONS[asked.type] : undefined;
  return why === undefined
    ? { unmapped: "is not carried over: Assay has no check like it", hint: "describe it as an llm-rubric" }
    : { unmapped: `is not carried over: ${why}` };
}

type Kind = (asked: Asked) => Made;

const CODE = "Assay runs no code of an eval file; a shell check or a custom grader can";
const EMBEDDING = "Assay compares no embeddings";
const SCORE = "Assay computes no such score";

const REASONS: Readonly<Record<string, string>> = {
  javascript: CODE,
  python: CODE,
  ruby: CODE,
  webhook: CODE,
  similar: EMBEDDING,
  "answer-relevance": EMBEDDING,
  classifier: SCORE,
  levenshtein: SCORE,
  "rouge-n": SCORE,
  bleu: SCORE,
  gleu: SCORE,
  meteor: SCORE,
  perplexity: SCORE,
  "perplexity-score": SCORE,
  "context-recall": "it needs a retrieval context",
  "context-relevance": "it needs a retrieval context",
  "context-faithfulness": "it needs a retrieval context",
  moderation: "Assay asks no moderation service",
  guardrails: "Assay asks no moderation service",
  "select-best": "assay compare judges versions against each other",
  "max-score": "assay compare judges versions against each other",
};

const KINDS: Readonly<Record<string, Kind>> = {
  equals: (asked) =>
    typeof asked.value === "object" && asked.value !== null
      ? onlyPlain(asked, () => [
          { kind: "final_json", path: "", expected: { kind: "equals", value: asked.value ?? null } },
        ])
      : withText(asked, (text) => [
          {
            kind: "regex",
            pattern: asked.isNegated ? `\\A(?!${literally(text)}\\Z)` : `\\A${literally(text)}\\Z`,
          },
        ]),
  contains: (asked) => withText(asked, (text) => [needle(asked, text, false)]),
  icontains: (asked) => withText(asked, (text) => [needle(asked, text, true)]),
  "contains-all": (asked) => all(asked, false),
  "icontains-all": (asked) => all(asked, true),
  "contains-any": (asked) => any(asked, false),
  "icontains-any": (asked) => any(asked, true),
  "starts-with": (asked) =>
    withText(asked, (text) => [
      asked.isNegated
        ? { kind: "regex", pattern: `\\A(?!${literally(text)})` }
        : { kind: "starts_with", needle: text, ignoreCase: false },
    ]),
  regex: (asked) =>
    withText(asked, (text) => {
      const spelling = pythonSpelling(text);
      return [{ kind: "regex", pattern: asked.isNegated ? absent(spelling) : occurs(spelling) }];
    }),
  "is-json": (asked) => onlyPlain(asked, () => [json()]),
  "contains-json": (asked) => onlyPlain(asked, () => [json()]),
  "word-count": wordCount,
  cost: (asked) =>
    onlyPlain(asked, () =>
      asked.threshold === null ? null : [{ kind: "max_cost_usd", limit: asked.threshold }],
    ),
  latency: (asked) =>
    onlyPlain(asked, () =>
      asked.threshold === null ? null : [{ kind: "max_duration_seconds", limit: asked.threshold / 1000 }],
    ),
  "skill-used": (asked) =>
    named(asked, (skill) =>
      asked.isNegated
        ? { kind: "tool_not_called", tool: "Skill", arguments: `"(?:[\\w-]+:)?${literally(skill)}"` }
        : { kind: "skill_loaded", skill },
    ),
  "trajectory:tool-used": (asked) =>
    named(asked, (tool) =>
      asked.isNegated
        ? { kind: "tool_not_called", tool, arguments: null }
        : { kind: "tool_called", tool, arguments: null, count: 1 },
    ),
  "trajectory:tool-sequence": sequence,
  "llm-rubric": rubric,
  "model-graded-closedqa": rubric,
  "agent-rubric": rubric,
  "g-eval": rubric,
  factuality: (asked) => rubric(asked, "The answer agrees with these facts: "),
  "model-graded-factuality": (asked) => rubric(asked, "The answer agrees with these facts: "),
};

function needle({ isNegated }: Asked, text: string, ignoreCase: boolean): Claim {
  return { kind: isNegated ? "not_contains" : "contains", needle: text, ignoreCase };
}

function json(): Claim {
  return { kind: "final_json", path: "", expected: { kind: "present" } };
}

/** All of them: each is a check. That not all are there cannot be said so. */
function all(asked: Asked, ignoreCase: boolean): Made {
  if (asked.isNegated)
    return { unmapped: "is not carried over: no check says that one of several is missing" };
  return withTexts(asked, (texts) => texts.map((text) => needle(asked, text, ignoreCase)));
}

/** One of them: a pattern. None of them: each is a check. */
function any(asked: Asked, ignoreCase: boolean): Made {
  return withTexts(asked, (texts) =>
    asked.isNegated
      ? texts.map((text) => needle(asked, text, ignoreCase))
      : [{ kind: "regex", pattern: `${ignoreCase ? "(?i)" : ""}(?:${texts.map(literally).join("|")})` }],
  );
}

function rubric({ value, isNegated }: Asked, before = ""): Made {
  const texts = (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === "string" ? one.trim() : "",
  );
  if (texts.length === 0 || texts.includes("")) return { wrong: "needs a text as its value" };
  return { criteria: texts.map((text) => `${isNegated ? "This does not hold: " : ""}${before}${text}`) };
}

function wordCount({ value, isNegated }: Asked): Made {
  const range = typeof value === "number" ? { min: value, max: value } : value;
  if (isNegated) return { unmapped: "is not carried over: no check says that a count is out of range" };
  if (typeof range !== "object" || range === null || Array.isArray(range))
    return { wrong: "needs min or max" };
  const { min = null, max = null } = range as { min?: Json; max?: Json };
  const isCount = (one: Json) =>
    one === null || (typeof one === "number" && Number.isInteger(one) && one >= 0);
  if (!isCount(min) || !isCount(max) || (min === null && max === null)) return { wrong: "needs min or max" };
  return { claims: [{ kind: "word_count", min: min as number | null, max: max as number | null }] };
}

function sequence({ value, isNegated }: Asked): Made {
  const steps = Array.isArray(value) ? value : (value as { steps?: Json } | null | undefined)?.steps;
  const tools = Array.isArray(steps) ? steps.map((step) => nameOf(step as Json)) : [];
  if (tools.length === 0 || tools.includes(null)) return { wrong: "needs a list of tools" };
  if (isNegated) return { unmapped: "is not carried over: no check forbids an order" };
  return { claims: [{ kind: "tool_order", tools: tools as string[] }] };
}

function named(asked: Asked, claim: (name: string) => Claim): Made {
  const values = Array.isArray(asked.value) ? asked.value : [asked.value];
  const names = values.map((one) => nameOf((one ?? null) as Json));
  if (names.length === 0 || names.includes(null)) return { wrong: "needs a name as its value" };
  return { claims: (names as string[]).map(claim) };
}

function nameOf(value: Json): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { name, tool, pattern } = value as Readonly<Record<string, Json>>;
  const found = name ?? tool ?? null;
  return pattern === undefined && typeof found === "string" && found.trim() !== "" ? found.trim() : null;
}

/** A check that has no opposite. */
function onlyPlain({ isNegated }: Asked, claims: () => readonly Claim[] | null): Made {
  if (isNegated) return { unmapped: "is not carried over: the check has no opposite" };
  const made = claims();
  return made === null ? { wrong: "needs a threshold" } : { claims: made };
}

function withText({ value }: Asked, claims: (text: string) => readonly Claim[]): Made {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return typeof text === "string" && text !== ""
    ? { claims: claims(text) }
    : { wrong: "needs a text as its value" };
}

/** A list, or a text with commas between. */
function withTexts({ value }: Asked, claims: (texts: readonly string[]) => readonly Claim[]): Made {
  const listed = typeof value === "string" ? value.split(",").map((one) => one.trim()) : value;
  const texts = Array.isArray(listed)
    ? listed.map((one) => (typeof one === "number" ? String(one) : one))
    : [];
  const isFilled = texts.length > 0 && texts.every((one) => typeof one === "string" && one !== "");
  return isFilled ? { claims: claims(texts as string[]) } : { wrong: "needs a list of texts as its value" };
}
