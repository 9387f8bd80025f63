import { basename } from "node:path";
import { valueOf } from "../../../lib/document/node.ts";
import type { Importer, Recognition, SourceDocument } from "../../format.ts";
import { CASE_FILE, PROMPT_FILE } from "./case-shape.ts";
import { loadCase } from "./load.ts";

/** `claude plugin eval`: a folder with `prompt.md` or `case.yaml`, or both, and graders is one case. */
export const claudePlugin: Importer = {
  name: "claude-plugin",
  recognise,
  load: loadCase,
  schemas: { prompt: PROMPT_FILE.schema, case: CASE_FILE.schema },
};

function recognise({ path, root }: SourceDocument): Recognition | null {
  const name = basename(path).toLowerCase();
  if (name === "prompt.md") return { dialect: "prompt", confidence: "certain" };
  if (!/\.ya?ml$/.test(name)) return null;
  const has = (key: string) => valueOf(root, key) !== undefined;
  if (!has("name") || has("expected") || !(has("graders") || has("execution") || has("context"))) return null;
  const isCertain = has("schema_version") || /^case\.ya?ml$/.test(name);
  return { dialect: "case", confidence: isCertain ? "certain" : "likely" };
}
