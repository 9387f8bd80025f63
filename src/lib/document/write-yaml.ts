import { Document, visit } from "yaml";
import type { PlainValue } from "./node.ts";

/** YAML that `parseYaml` reads back as the same value; long lines stay whole, several lines become a block. */
export function writeYaml(value: PlainValue): string {
  // Strings that look like timestamps must be quoted, as the reader knows that tag.
  const document = new Document(value, { customTags: ["timestamp"], aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && EASILY_CHANGED.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** White space at the edge of a line, and control characters: what a block would lose or an editor would strip. */
const EASILY_CHANGED = /^\s|[^\S\n](?:\n|$)|\n\n$|[^\P{C}\n]|[\u2028\u2029]/u;
