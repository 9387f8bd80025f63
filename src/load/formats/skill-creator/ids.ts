import { createHash } from "node:crypto";
import { fileNameProblem, shortened } from "../../../lib/file-name.ts";
import { pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import { invalid, pathText, type Shape } from "../../../lib/shape/shape.ts";
import { int, text, wrongType } from "../../../lib/shape/values.ts";

export type DeclaredId = string | number;

/** A whole number from 0, or a text that is no path out of a directory. */
export function declaredId(): Shape<DeclaredId> {
  const whole = int({ min: 0, max: Number.MAX_SAFE_INTEGER });
  return {
    schema: { anyOf: [whole.schema, text().schema] },
    read(node, context) {
      if (node.kind === "int") return whole.read(node, context);
      if (node.kind !== "string") return wrongType(node, context, "an integer or a string");
      const problem = pathProblem(node.value);
      if (problem === null) return node.value;
      return invalid(context, node, {
        code: "bad-id",
        message: `${pathText(context.path)} ${pathProblemText(problem)}: ${JSON.stringify(node.value)}`,
        hint: "an id names a directory of results; use letters, digits and dashes",
      });
    },
  };
}

/** Ids that are safe as directory names and differ also where letter case does not count, in the order given. */
export function uniqueIds(wanted: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return wanted.map((text) => {
    let id = safeName(text);
    for (let attempt = 0; taken.has(id.toLowerCase()); attempt++) {
      id = `${shortened(safeName(text), 9)}-${digest(attempt === 0 ? text : `${text}#${attempt}`)}`;
    }
    taken.add(id.toLowerCase());
    return id;
  });
}

function safeName(text: string): string {
  const words = text.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
  const short = Array.from(words.replaceAll(/^[-.]+|[-.]+$/g, ""))
    .slice(0, 40)
    .join("");
  const trimmed = short.replaceAll(/[-.]+$/g, "");
  if (fileNameProblem(trimmed) !== null) return `id-${digest(text)}`;
  return Array.from(words).length > 40 ? `${shortened(trimmed, 9)}-${digest(text)}` : trimmed;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
