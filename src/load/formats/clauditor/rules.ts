import { inferProvider } from "../../../domain/grading-provider.ts";
import { type DocNode, entryOf, valueOf } from "../../../lib/document/node.ts";
import { below, INVALID, type ReadContext } from "../../../lib/shape/shape.ts";
import { oneOf } from "../../../lib/shape/values.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { GRADING_PROVIDERS } from "./spec-shape.ts";

/** With `auto`, the model's name tells whose it is. Where it does not, the caller may still say: who judges is resolved later. */
export function noteProvider(root: DocNode, context: ReadContext): void {
  const model = valueOf(root, "grading_model");
  const provider = valueOf(root, "grading_provider");
  const auto =
    provider === undefined ||
    provider.kind === "null" ||
    (provider.kind === "string" && provider.value === "auto");
  if (model?.kind !== "string" || model.value.trim() === "" || !auto) return;
  if (inferProvider(model.value) !== null) return;
  context.report({
    severity: "note",
    offset: model.start,
    code: "unknown-model",
    message: `grading_model ${JSON.stringify(model.value)} does not say which provider has it: only claude-*, gpt-* and o<digit>* are known`,
    hint: 'set "grading_provider" to "anthropic" or "openai", or pass --grading-provider',
  });
}

/** One of those that everyone has, or of the judges that a configuration adds. */
export function checkProvider(
  root: DocNode,
  context: ReadContext,
  { furtherJudges = [] }: Pick<LoadContext, "furtherJudges">,
): boolean {
  const provider = valueOf(root, "grading_provider");
  if (provider === undefined || provider.kind === "null") return true;
  const choices = oneOf([...GRADING_PROVIDERS, ...furtherJudges]);
  return choices.read(provider, below(context, "grading_provider")) !== INVALID;
}

/** No skill can both fire and stay silent. */
export function checkTriggers(root: DocNode, context: ReadContext): boolean {
  const tests = valueOf(root, "trigger_tests");
  if (tests === undefined) return true;
  const queries = (key: string) => {
    const listed = valueOf(tests, key);
    return listed?.kind === "array" ? listed.elements.filter((node) => node.kind === "string") : [];
  };
  const firing = new Set(queries("should_trigger").map((node) => node.value.trim()));
  const both = queries("should_not_trigger").filter((node) => firing.has(node.value.trim()));
  for (const node of both) {
    context.report({
      severity: "error",
      offset: node.start,
      code: "contradiction",
      message: `the query ${JSON.stringify(node.value)} is in should_trigger and in should_not_trigger`,
    });
  }
  return both.length === 0;
}

/** The skill's own name is what gets invoked; a spec written for another one is worth a word. */
export function noteOtherSkill(document: SourceDocument, context: LoadContext, reading: ReadContext): void {
  const declared = entryOf(document.root, "skill_name")?.value;
  const { skill } = context;
  if (declared?.kind !== "string" || skill === null || declared.value === skill.name) return;
  reading.report({
    severity: "note",
    offset: declared.start,
    code: "other-skill",
    message: `skill_name is ${JSON.stringify(declared.value)} but the skill under test is ${JSON.stringify(skill.name)}`,
  });
}
