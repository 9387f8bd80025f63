import { valueOf } from "../../../lib/document/node.ts";
import type { Importer, Recognition, SourceDocument } from "../../format.ts";
import { DIALECT, loadCase } from "./load.ts";
import { CASE } from "./shape.ts";

/** Sentry's Skillet (`@sentry/skillet`), which shares its name with another tool: one YAML file, one case. */
export const sentrySkillet: Importer = {
  name: "sentry-skillet",
  recognise,
  load: loadCase,
  schemas: { [DIALECT]: CASE.schema },
};

/** The other Skillet has neither `behavior` nor a list of `checks`. */
function recognise({ path, root }: SourceDocument): Recognition | null {
  if (!/\.ya?ml$/i.test(path)) return null;
  const has = (key: string) => valueOf(root, key) !== undefined;
  if (!has("behavior") || has("expected")) return null;
  if (has("prompt") && valueOf(root, "checks")?.kind === "array") {
    return { dialect: DIALECT, confidence: "certain" };
  }
  return has("prompt") || has("checks") ? { dialect: DIALECT, confidence: "likely" } : null;
}
