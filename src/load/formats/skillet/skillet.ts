import { valueOf } from "../../../lib/document/node.ts";
import type { Format, Recognition, SourceDocument } from "../../format.ts";
import { DIALECT, loadEval } from "./load.ts";
import { EVAL, REQUIRED_KEYS } from "./shape.ts";
import { writeEvals } from "./write.ts";

/** Skillet: one YAML file, one case. */
export const skillet: Format = {
  name: "skillet",
  recognise,
  load: (document, context) => Promise.resolve(loadEval(document, context)),
  write: writeEvals,
  schemas: { [DIALECT]: EVAL.schema },
};

function recognise({ path, root }: SourceDocument): Recognition | null {
  if (!/\.ya?ml$/i.test(path)) return null;
  const present = REQUIRED_KEYS.filter((key) => valueOf(root, key) !== undefined);
  if (present.length === REQUIRED_KEYS.length) return { dialect: DIALECT, confidence: "certain" };
  const telling = present.includes("expected") || present.includes("timestamp");
  return telling && present.length > 1 ? { dialect: DIALECT, confidence: "likely" } : null;
}
