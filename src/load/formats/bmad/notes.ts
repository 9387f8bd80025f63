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
      hint: "each id names a directory of its own",
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
    message: "the file holds no evals",
  });
}

export function noteHeadless(tasks: readonly Task[], skill: Skill | null, reading: ReadContext): void {
  const prompts = tasks.map(({ id, prompt }) => ({ id: String(id.value), prompt: prompt.value }));
  const silent = withoutHeadlessSignal(prompts, skill?.body ?? null);
  const first = tasks.find(({ id }) => String(id.value) === silent[0]);
  if (first === undefined) return;
  const shown = silent.slice(0, 5).join(", ") + (silent.length > 5 ? ` and ${silent.length - 5} more` : "");
  reading.report({
    severity: "note",
    offset: first.prompt.offset,
    code: "no-headless-signal",
    message: `no sign in the prompt that nobody is there to answer questions: ${shown}`,
    hint: 'begin it with "Run headless.", or use the words of the skill\'s section on headless runs',
  });
}
