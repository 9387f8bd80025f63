import type { Skill } from "../../../domain/skill.ts";
import type { DocNode } from "../../../lib/document/node.ts";
import type { ReadContext } from "../../../lib/shape/shape.ts";
import { withoutHeadlessSignal } from "./headless.ts";
import type { Task } from "./task.ts";

/** Ids that differ only in case share a directory on many systems. */
export function reportDuplicates(tasks: readonly Task[], reading: ReadContext): boolean {
  const seen = new Map<string, string>();
  let distinct = true;
  for (const { id } of tasks) {
    const name = String(id.value);
    const earlier = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    if (earlier === undefined) continue;
    if (earlier === name) distinct = false;
    reading.report({
      severity: earlier === name ? "error" : "note",
      offset: id.offset,
      code: earlier === name ? "duplicate-id" : "similar-id",
      message:
        earlier === name
          ? `the id ${JSON.stringify(name)} is used twice`
          : `the ids ${JSON.stringify(earlier)} and ${JSON.stringify(name)} differ only in case`,
      hint: "each id is also the name of a directory",
    });
  }
  return distinct;
}

export function noteEmpty(cases: readonly unknown[], reading: ReadContext, root: DocNode): void {
  if (cases.length > 0) return;
  reading.report({
    severity: "note",
    offset: root.start,
    code: "no-cases",
    message: "the file has no evals",
  });
}

export function noteHeadless(tasks: readonly Task[], skill: Skill | null, reading: ReadContext): void {
  const prompts = tasks.map(({ id, prompt }) => ({ id: String(id.value), prompt: prompt.value }));
  const silent = withoutHeadlessSignal(prompts, skill?.body ?? null);
  const first = tasks.find(({ id }) => String(id.value) === silent[0]);
  if (first === undefined) return;
  reading.report({
    severity: "note",
    offset: first.prompt.offset,
    code: "no-headless-signal",
    message: `nothing in the prompt says that nobody can answer questions: ${listed(silent)}`,
    hint: 'start it with "Run headless.", or use the words of the skill\'s section on headless runs',
  });
}

/** The document's ids are strings; a number is taken for the string of its digits. */
export function noteIntegerIds(tasks: readonly Task[], reading: ReadContext): void {
  const integers = tasks.filter(({ id }) => typeof id.value === "number");
  const [first] = integers;
  if (first === undefined) return;
  reading.report({
    severity: "note",
    offset: first.id.offset,
    code: "integer-id",
    message: `ids are strings in BMad's format, and these are integers: ${listed(integers.map(({ id }) => String(id.value)))}`,
    hint: `write "${first.id.value}"`,
  });
}

function listed(names: readonly string[]): string {
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
}
