import type { Format, Recognition, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { hasChecks } from "./checks.ts";
import { contentOf } from "./content.ts";
import { loadEvals } from "./evals.ts";
import { find } from "./keys.ts";
import { evalsSchema, triggersSchema } from "./schemas.ts";
import { loadTriggers } from "./triggers.ts";
import { writeFile } from "./write.ts";

/** skill-creator: `evals.json`, trigger sets, and the variants of both that agentskills.io and real files use. */
export const skillCreator: Format = {
  name: "skill-creator",
  recognise,
  async load(document, context) {
    const content = contentOf(document.root);
    if (content.kind === "evals") return loadEvals(document, content, context);
    if (content.kind === "triggers") return loadTriggers(document, content.lists, context);
    const { offset, code, message, hint } = content;
    readContext("skill-creator", document, context).report({
      severity: "error",
      offset,
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
    });
    return null;
  },
  write: writeFile,
  schemas: { evals: evalsSchema(), triggers: triggersSchema() },
};

/** BMad's files look the same where they use nothing of their own, so plain ones are only likely. */
function recognise({ path, root }: SourceDocument): Recognition | null {
  if (/\.ya?ml$/i.test(path)) return null;
  const content = contentOf(root);
  if (content.kind === "refused") {
    return content.resembles === null ? null : { dialect: content.resembles, confidence: "likely" };
  }
  if (content.kind === "triggers") {
    const bare = content.lists.every((queries) => queries.key === null);
    return { dialect: "triggers", confidence: bare ? "likely" : "certain" };
  }
  const entries = content.list.kind === "array" ? content.list.elements : [];
  const telling = entries.some((entry) => hasChecks(entry) && find(entry, ["expectations"]) === null);
  return { dialect: "evals", confidence: content.key === null || telling ? "certain" : "likely" };
}
