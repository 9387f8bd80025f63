import type { Json } from "../../domain/json.ts";
import type { Evidence, Verdict } from "../../domain/verdict.ts";
import type { SafeRegex } from "../../lib/safe-regex/safe-regex.ts";
import type { CheckOf } from "../code-grader.ts";
import { cut, type Decision, measure, toVerdict, unscored } from "../decision.ts";
import { findQuote, findWord } from "../evidence/find-quote.ts";
import type { Passage } from "../evidence/passage.ts";
import type { Subject } from "../subject.ts";
import type { Extracted } from "./extract.ts";
import { fieldVerdict, valueText } from "./field-verdict.ts";

type FieldCheck = CheckOf<"field">;
type EntriesCheck = CheckOf<"entries">;

/** Code's verdicts on what was extracted: one for each entry of a field, one for each number of entries. */
export async function extractionVerdicts(
  check: FieldCheck | EntriesCheck,
  subject: Subject,
  extracted: Extracted,
  regex: SafeRegex,
): Promise<readonly Verdict[]> {
  const { sections, problems } = extracted.extraction;
  const [problem] = problems;
  if (problem !== undefined) return [toVerdict(check, subject, unscored(problem))];
  const entries = sections[check.section]?.[check.tier] ?? [];
  if (check.kind === "entries") return [toVerdict(check, subject, entriesDecision(check, entries.length))];
  const verdicts: Verdict[] = [];
  for (const [entry, values] of entries.entries()) {
    const value = values[check.field.name] ?? null;
    const decision = await fieldDecision(check, { entry, value }, extracted, regex);
    verdicts.push({ ...toVerdict(check, subject, decision), entry });
  }
  return verdicts;
}

function entriesDecision({ min, max }: EntriesCheck, count: number): Decision {
  const wanted = max === null ? `at least ${min}` : `${min} to ${max}`;
  const status = count >= min && (max === null || count <= max) ? "passed" : "failed";
  const found = `${count} ${count === 1 ? "entry" : "entries"} extracted`;
  return { status, reason: `${found}, ${wanted} wanted`, evidence: [measure(found)] };
}

async function fieldDecision(
  { field }: FieldCheck,
  { entry, value }: { entry: number; value: Json },
  { ground, shown }: Extracted,
  regex: SafeRegex,
): Promise<Decision> {
  const place = `entry ${entry + 1}`;
  if (!ground.holds(value)) {
    return unscored(`${place}: the extracted value of ${JSON.stringify(field.name)} is not in the output`);
  }
  const { passed, present, reason } = await fieldVerdict(field, value, regex);
  if (passed === null) return unscored(`${place}: ${reason}`);
  const evidence: Evidence = present ? shownValue(value, shown, place) : absent(field.required, place);
  return { status: passed ? "passed" : "failed", reason: `${place}: ${reason}`, evidence: [evidence] };
}

function shownValue(value: Json, shown: readonly Passage[], place: string): Evidence {
  const text = cut(valueText(value));
  const found = findWord(text, shown) ?? findQuote(text, shown);
  return found === null
    ? measure(`${place}: ${text}`)
    : { kind: "quote", text, source: { kind: "output", line: found.line } };
}

function absent(required: boolean, place: string): Evidence {
  return required
    ? { kind: "absence", searched: [{ kind: "output", line: null }] }
    : measure(`${place}: not given`);
}
