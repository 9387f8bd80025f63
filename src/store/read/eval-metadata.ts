import { object } from "../../lib/shape/object.ts";
import { invalid, type Shape } from "../../lib/shape/shape.ts";
import { int, list, record, refine, text } from "../../lib/shape/values.ts";
import { byKind, type Extras, keysText, lenient, resultFile } from "./result-file.ts";

/** What one eval's runs were about. */
export interface EvalMetadata {
  readonly evalId: string | number | null;
  readonly evalName: string | null;
  readonly prompt: string | null;
  readonly assertions: readonly string[];
  readonly extras: Extras;
}

const line = text({ blank: "allowed" });

/** A statement, or an object around one. */
const assertion: Shape<string> = byKind(
  {
    object: refine(
      object(
        { text: lenient(line), description: lenient(line), expectation: lenient(line), name: lenient(line) },
        { unknownKeys: "allowed" },
      ),
      (raw, context, node) => {
        const said = raw.text ?? raw.description ?? raw.expectation ?? raw.name;
        if (said !== null) return said;
        return invalid(context, node, { code: "missing-key", message: 'an assertion has no "text"' });
      },
    ),
  },
  line,
);

/** A list, or an object of them by name. */
const assertions: Shape<readonly string[]> = byKind<readonly string[]>(
  { object: refine(record(assertion), (byName) => Object.values(byName)) },
  list(assertion),
);

export const evalMetadataReader = resultFile<EvalMetadata>(
  "eval-metadata",
  refine(
    object(
      {
        eval_id: lenient(byKind<string | number>({ int: int() }, line)),
        eval_name: lenient(line),
        prompt: lenient(line),
        assertions: lenient(assertions),
        expectations: lenient(assertions),
      },
      { unknownKeys: "allowed" },
    ),
    (raw, context, node) => {
      if (raw.eval_id === null && raw.eval_name === null && raw.prompt === null) {
        return invalid(context, node, {
          code: "other-format",
          message: `there is neither "eval_id" nor "eval_name" nor "prompt": ${keysText(node)}`,
        });
      }
      return {
        evalId: raw.eval_id,
        evalName: raw.eval_name,
        prompt: raw.prompt,
        assertions: raw.assertions ?? raw.expectations ?? [],
        extras: raw.extras,
      };
    },
  ),
);
