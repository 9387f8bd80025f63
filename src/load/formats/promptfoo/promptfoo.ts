import { basename } from "node:path";
import { valueOf } from "../../../lib/document/node.ts";
import type { Importer, Recognition, SourceDocument } from "../../format.ts";
import { DIALECT, loadConfig } from "./load.ts";
import { CONFIG } from "./shape.ts";

/** promptfoo: a configuration with prompts, tests and assertions. */
export const promptfoo: Importer = {
  name: "promptfoo",
  recognise,
  load: loadConfig,
  schemas: { [DIALECT]: CONFIG.schema },
};

function recognise({ path, root }: SourceDocument): Recognition | null {
  const has = (key: string) => valueOf(root, key) !== undefined;
  const isNamed = /^promptfooconfig\b.*\.(?:ya?ml|json)$/i.test(basename(path));
  if (has("prompts") && (has("tests") || has("providers") || has("targets") || isNamed)) {
    return { dialect: DIALECT, confidence: "certain" };
  }
  return isNamed ? { dialect: DIALECT, confidence: "likely" } : null;
}
