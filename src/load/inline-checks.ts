import type { Check } from "../domain/check.ts";
import { UserError } from "../domain/user-error.ts";
import { readPlain } from "../lib/shape/read-plain.ts";
import { list } from "../lib/shape/values.ts";
import { assayCheckShape } from "./assay-check.ts";

/**
 * Checks that a program writes as the `assay` key spells them; a bare text is a criterion for a judge. Ids are free of
 * those that are taken. Throws a UserError for what is no check.
 */
export function inlineChecks(values: unknown, taken: Iterable<string> = []): readonly Check[] {
  const entries = Array.isArray(values)
    ? values.map((one: unknown) => (typeof one === "string" ? { type: "criterion", text: one } : one))
    : values;
  const read = readPlain(entries, list(assayCheckShape("task")), "checks");
  if (!read.ok) {
    throw new UserError("checks/invalid", read.problems.map(({ message }) => message).join("; "), {
      hint: 'checks are a list of what the assay key has, such as { type: "contains", needle: "total" }, or criteria as plain text',
    });
  }
  const ids = new Set(taken);
  return read.value.map(({ check }) => {
    let id = check.id;
    for (let number = 2; ids.has(id); number++) id = `${check.id}#${number}`;
    ids.add(id);
    return { ...check, id };
  });
}
