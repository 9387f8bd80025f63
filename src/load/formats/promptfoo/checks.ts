import type { Check, Claim } from "../../../domain/check.ts";
import { sentenceOf } from "../../../domain/checks/index.ts";
import type { Json } from "../../../domain/json.ts";
import { toPlain } from "../../../lib/document/node.ts";
import { compilePython } from "../../../lib/python-regex/compile.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import { type Asked, assertionChecks } from "./assertions.ts";
import type { Placed, Reading } from "./places.ts";
import { render, type Vars } from "./render.ts";
import { ASSERTION } from "./shape.ts";

export interface CaseChecks {
  readonly checks: readonly Check[];
  /** Assertions that became no check, as they are. */
  readonly left: readonly Json[];
}

/** The checks of one case; the values of assertions are templates like its prompt. */
export async function readChecks(
  asserts: readonly Placed[],
  vars: Vars,
  reading: Reading,
): Promise<CaseChecks> {
  const claims: (Claim | { readonly kind: "criterion"; readonly text: string })[] = [];
  const left: Json[] = [];
  for (const placed of asserts) {
    const said = ASSERTION.read(placed.node, reading.context(placed));
    if (said === INVALID) continue;
    const at = placed.document.at(placed.node.start);
    if (said.type === "assert-set") {
      if (said.threshold !== null) tell("threshold", "is not used: every check must pass", placed, reading);
      const inner = said.assert.map((node) => ({ node, document: placed.document }));
      const set = await readChecks(inner, vars, reading);
      claims.push(...set.checks.map(claimOf));
      left.push(...set.left);
      continue;
    }
    const value = await valueOf(said.value, { placed, vars, reading });
    if (value === INVALID) continue;
    const isNegated = said.type.startsWith("not-");
    const type = isNegated ? said.type.slice(4) : said.type;
    const { threshold, weight } = said;
    if (weight === 0) {
      tell(said.type, "with weight 0 is not carried over: it decides nothing", placed, reading);
      left.push(toPlain(placed.node));
      continue;
    }
    const made =
      value === CODE_FILE
        ? { unmapped: "is not carried over: its value is a program, which is not run" }
        : assertionChecks({ type, isNegated, value, threshold } satisfies Asked);
    if ("wrong" in made) {
      reading.refuse(at, "bad-assertion", `the assertion ${JSON.stringify(said.type)} ${made.wrong}`);
      continue;
    }
    if ("unmapped" in made) {
      tell(
        `the assertion ${said.type}`,
        { why: made.unmapped, ...("hint" in made && { hint: made.hint }) },
        placed,
        reading,
      );
      left.push(toPlain(placed.node));
      continue;
    }
    if (weight !== null && weight !== 1)
      tell("weight", "is not used: every check counts the same", placed, reading);
    if (threshold !== null && !["cost", "latency"].includes(type))
      tell("threshold", "is not used: a check passes or fails", placed, reading);
    if (type === "is-json" || type === "contains-json")
      tellJson(said.type, { hasSchema: said.value !== null }, placed, reading);
    for (const key of Object.keys(said.extras))
      tell(`${key} of an assertion`, "is not used", placed, reading);
    const found =
      "criteria" in made ? made.criteria.map((text) => ({ kind: "criterion" as const, text })) : made.claims;
    claims.push(...found.filter((claim) => isUsable(claim, placed, reading)));
  }
  return { checks: claims.map(toCheck), left };
}

function tell(
  field: string,
  words: string | { why: string; hint?: string },
  placed: Placed,
  reading: Reading,
): void {
  const { why, hint } = typeof words === "string" ? { why: words, hint: undefined } : words;
  const at = placed.document.at(placed.node.start);
  reading.unmapped.add({ field, why, at, ...(hint !== undefined && { hint }) });
}

function tellJson(
  type: string,
  { hasSchema }: { hasSchema: boolean },
  placed: Placed,
  reading: Reading,
): void {
  const schema = hasSchema ? "; its schema is not checked" : "";
  tell(`the assertion ${type}`, `asks for a JSON block in the final message${schema}`, placed, reading);
}

const CODE_FILE = Symbol("code");

/** The value with files and templates resolved. */
async function valueOf(
  node: Placed["node"] | null,
  { placed, vars, reading }: { placed: Placed; vars: Vars; reading: Reading },
): Promise<Json | undefined | typeof INVALID | typeof CODE_FILE> {
  if (node === null) return undefined;
  if (node.kind === "string" && node.value.startsWith("file://")) {
    if (/\.(?:[cm]?[jt]s|py|rb)(?::\w+)?$/i.test(node.value)) return CODE_FILE;
    const file = await reading.file(node.value, { node, document: placed.document });
    return file === null ? INVALID : filled(file.text.trim(), vars);
  }
  return deep(toPlain(node), vars);
}

function deep(value: Json, vars: Vars): Json {
  if (typeof value === "string") return filled(value, vars);
  if (Array.isArray(value)) return value.map((one) => deep(one as Json, vars));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, vars)]));
}

/** A pattern may have braces of its own, so what is no name is left as it is. */
function filled(text: string, vars: Vars): string {
  const { text: made, beyond } = render(text, vars);
  return beyond === null ? made : text;
}

function isUsable(claim: Claim | { kind: "criterion" }, placed: Placed, reading: Reading): boolean {
  const compiled = claim.kind === "regex" ? compilePython((claim as { pattern: string }).pattern) : null;
  if (compiled === null || compiled.ok) return true;
  const message = `the value of the assertion is not a regular expression: ${compiled.message}`;
  reading.refuse(
    placed.document.at(placed.node.start),
    "bad-regex",
    message,
    "JavaScript syntax is expected",
  );
  return false;
}

function toCheck(claim: Claim | { readonly kind: "criterion"; readonly text: string }, index: number): Check {
  const isApart = claim.kind === "skill_loaded";
  const text = "text" in claim ? claim.text : sentenceOf(claim);
  return {
    id: `assertion-${index + 1}`,
    layer: claim.kind === "criterion" ? "L3" : "L1",
    text,
    appliesTo: isApart ? "with-skill" : "every-variant",
    origin: null,
    ...claim,
  };
}

/** A check without the head it had in its set. */
function claimOf(check: Check): Claim | { readonly kind: "criterion"; readonly text: string } {
  if (check.kind === "criterion") return { kind: "criterion", text: check.text };
  const { id: _id, layer: _layer, text: _text, appliesTo: _applies, origin: _origin, ...claim } = check;
  return claim;
}
