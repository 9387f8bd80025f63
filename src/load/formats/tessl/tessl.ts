import { valueOf } from "../../../lib/document/node.ts";
import type { Importer, Recognition, SourceDocument } from "../../format.ts";
import { DIALECT, loadScenario } from "./load.ts";
import { CRITERIA } from "./shape.ts";

/** tessl: a folder with `task.md` and `criteria.json` is one case. */
export const tessl: Importer = {
  name: "tessl",
  recognise,
  load: loadScenario,
  schemas: { [DIALECT]: CRITERIA.schema },
};

function recognise({ path, root }: SourceDocument): Recognition | null {
  if (!/\.json$/i.test(path)) return null;
  const checklist = valueOf(root, "checklist");
  if (checklist?.kind !== "array") return null;
  const type = valueOf(root, "type");
  const isScored = checklist.elements.some((entry) => valueOf(entry, "max_score") !== undefined);
  const certain = (type?.kind === "string" && type.value === "weighted_checklist") || isScored;
  return { dialect: DIALECT, confidence: certain ? "certain" : "likely" };
}
