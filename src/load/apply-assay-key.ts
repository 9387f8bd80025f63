import type { Check } from "../domain/check.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Case } from "../domain/suite.ts";
import type { ShapeProblem } from "../lib/shape/shape.ts";
import type { Located } from "../lib/shape/values.ts";
import type { AssayEntry } from "./assay-check.ts";
import { ASSAY_KEY, type AssayKey, type Routing } from "./assay-key.ts";

/**
 * The case with what its own key and its file's key say: checks appended (the file's first, and only to tasks), the
 * rest filled in.
 * Null after a problem was reported: an unknown id in `with_only`, or an id that two checks have.
 */
export function applyAssayKey(
  evalCase: Case,
  keys: { readonly file?: AssayKey | null; readonly own?: AssayKey | null },
  report: (problem: ShapeProblem) => void,
): Case | null {
  const file = keys.file ?? null;
  const own = keys.own ?? null;
  if (file === null && own === null) return evalCase;
  const shared = evalCase.kind === "task" ? (file?.entries ?? []) : [];
  const added = [...shared, ...(own?.entries ?? [])];
  const checks = withUniqueIds(evalCase.checks, added, report);
  const marked = checks === null ? null : markWithOnly(checks, own?.withOnly ?? [], report);
  if (marked === null) return null;
  return {
    ...evalCase,
    checks: marked.map((check) => routed(check, own?.routing ?? null)),
    reference: own?.reference ?? evalCase.reference,
    mcpServers: mergeServers(mergeServers(evalCase.mcpServers, file?.mcpServers), own?.mcpServers),
    extras: mergeExtras(evalCase.extras, own?.extras ?? {}),
  };
}

/** Two checks may say the same thing; the second then gets a number. A declared id is the author's word. */
function withUniqueIds(
  hosted: readonly Check[],
  added: readonly AssayEntry[],
  report: (problem: ShapeProblem) => void,
): readonly Check[] | null {
  const taken = new Set(hosted.map((check) => check.id));
  let valid = true;
  for (const { check, offset } of added.filter((entry) => !entry.derivedId)) {
    if (taken.has(check.id)) {
      valid = false;
      report({
        severity: "error",
        offset,
        code: "duplicate-id",
        message: `the id ${JSON.stringify(check.id)} is used by two checks of the same case`,
      });
    }
    taken.add(check.id);
  }
  const checks = added.map(({ check, derivedId }) => {
    if (!derivedId) return check;
    const id = freeId(check.id, taken);
    taken.add(id);
    return { ...check, id };
  });
  return valid ? [...hosted, ...checks] : null;
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}#${number}`)) number++;
  return `${id}#${number}`;
}

function markWithOnly(
  checks: readonly Check[],
  withOnly: readonly Located<string>[],
  report: (problem: ShapeProblem) => void,
): readonly Check[] | null {
  const known = new Set(checks.map((check) => check.id));
  const unknown = withOnly.filter(({ value }) => !known.has(value));
  for (const { value, offset } of unknown) {
    report({
      severity: "error",
      offset,
      code: "unknown-check-id",
      message: `with_only names ${JSON.stringify(value)}, but the case has no check with that id`,
      hint: `ids here: ${[...known].join(", ") || "none"}`,
    });
  }
  if (unknown.length > 0) return null;
  const marked = new Set(withOnly.map(({ value }) => value));
  return checks.map((check) => (marked.has(check.id) ? { ...check, appliesTo: "with-skill" } : check));
}

function routed(check: Check, routing: Routing | null): Check {
  if (check.kind !== "fires" || routing === null) return check;
  const forbidden = routing.forbidden.length > 0 ? routing.forbidden : check.forbidden;
  return { ...check, skill: routing.skill ?? check.skill, forbidden };
}

function mergeServers(first: JsonObject | null, second: JsonObject | null | undefined): JsonObject | null {
  return second === null || second === undefined ? first : { ...first, ...second };
}

function mergeExtras(extras: JsonObject, own: JsonObject): JsonObject {
  return Object.keys(own).length > 0 ? { ...extras, [ASSAY_KEY]: own } : extras;
}
