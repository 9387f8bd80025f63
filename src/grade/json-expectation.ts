import type { JsonExpectation } from "../domain/check.ts";
import type { EvidenceSource } from "../domain/verdict.ts";
import { parseJsonPath, sameJson, valueAt } from "../lib/json-path.ts";
import { compilePython } from "../lib/python-regex/compile.ts";
import type { SafeRegex } from "../lib/safe-regex/safe-regex.ts";
import { cut, type Decision, failed, passed, unscored } from "./decision.ts";

/** A JSON value and what a check wants of the value at a place in it. */
export interface JsonQuestion {
  readonly json: unknown;
  readonly at: string;
  readonly expected: JsonExpectation;
  readonly source: EvidenceSource;
}

/** `null` counts as not there, except where it is what is asked for. */
export async function decideJson(question: JsonQuestion, regex: SafeRegex): Promise<Decision> {
  const { at, expected, source } = question;
  const steps = parseJsonPath(at);
  if (steps === null) return unscored(`${JSON.stringify(at)} is not a path like a.b[0]`);
  const value = valueAt(question.json, steps);
  const place = at === "" ? "the JSON value" : `the value at ${at}`;
  if (value === undefined) {
    return failed(`there is nothing at ${at}`, [
      { kind: "quote", text: spell(valueAt(question.json, steps.slice(0, -1)) ?? question.json), source },
    ]);
  }
  const evidence = [{ kind: "quote", text: spell(value), source }] as const;
  switch (expected.kind) {
    case "present":
      return value === null ? failed(`${place} is null`, evidence) : passed(`${place} exists`, evidence);
    case "equals":
      return sameJson(value, expected.value)
        ? passed(`${place} is as expected`, evidence)
        : failed(`${place} is not ${spell(expected.value)}`, evidence);
    case "matches": {
      if (typeof value !== "string") return failed(`${place} is not a string`, evidence);
      const compiled = compilePython(expected.pattern);
      if (!compiled.ok) return unscored(`the pattern cannot be used: ${compiled.message}`);
      const searched = await regex.search(compiled.regex, [value]);
      if (searched.status === "stopped") return unscored(searched.reason);
      return searched.count > 0
        ? passed(`${place} matches /${expected.pattern}/`, evidence)
        : failed(`${place} does not match /${expected.pattern}/`, evidence);
    }
  }
}

function spell(value: unknown): string {
  return cut(JSON.stringify(value) ?? "");
}
