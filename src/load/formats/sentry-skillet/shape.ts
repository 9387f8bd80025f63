import type { Claim } from "../../../domain/check.ts";
import { pathProblem, pathProblemText } from "../../../lib/relative-path.ts";
import { object, optionalOrNull, required } from "../../../lib/shape/object.ts";
import { INVALID, invalid, pathText, type Shape, type ShapeOutput } from "../../../lib/shape/shape.ts";
import { int, list, located, number, refine, text, wrongType } from "../../../lib/shape/values.ts";
import { nearest } from "../../../lib/nearest.ts";

export type SentryCase = ShapeOutput<typeof CASE>;

const KINDS = ["file_exists", "shell", "judge"] as const;
type Kind = (typeof KINDS)[number];

/** A check as a claim, or as what a judge is asked. */
export type SentryCheck = Claim | { readonly kind: "judge"; readonly text: string };

/** One case file. */
export const CASE = object(
  {
    behavior: required(text()),
    prompt: required(text()),
    fixture: optionalOrNull(located(text())),
    setup: optionalOrNull(text({ blank: "allowed" })),
    checks: required(list(check(), { minLength: 1 })),
    trials: optionalOrNull(int({ min: 1 })),
    timeout: optionalOrNull(seconds()),
  },
  { hints: { behaviour: "behavior", expected: "checks", assertions: "checks", runs: "trials" } },
);

/** An object with the one key that says what kind of check it is. */
function check(): Shape<SentryCheck> {
  return {
    schema: { anyOf: KINDS.map((kind) => ({ type: "object", properties: { [kind]: { type: "string" } } })) },
    read(node, context) {
      const [entry, ...more] = node.kind === "object" ? node.entries : [];
      if (entry === undefined || more.length > 0)
        return wrongType(node, context, `an object with one key of ${KINDS.join(", ")}`);
      const kind = KINDS.find((one) => one === entry.key);
      if (kind === undefined) {
        const near = nearest(entry.key, KINDS);
        return invalid(context, node, {
          code: "unknown-check",
          message: `${pathText(context.path)} has the unknown type ${JSON.stringify(entry.key)}`,
          hint: near === null ? `types: ${KINDS.join(", ")}` : `did you mean ${JSON.stringify(near)}?`,
        });
      }
      const value = FIELD.read(entry.value, { ...context, path: { parent: context.path, key: kind } });
      if (value === INVALID) return INVALID;
      const problem = kind === "file_exists" ? pathProblem(value) : null;
      if (problem === null) return claimOf(kind, value.trim());
      return invalid(context, entry.value, {
        code: "bad-path",
        message: `${pathText(context.path)}.${kind} ${pathProblemText(problem)}: ${JSON.stringify(value)}`,
        hint: "give a path relative to the workspace",
      });
    },
  };
}

const FIELD = text();

function claimOf(kind: Kind, value: string): SentryCheck {
  switch (kind) {
    case "file_exists":
      return { kind, path: value };
    case "shell":
      return { kind, command: value };
    case "judge":
      return { kind, text: value };
  }
}

function seconds(): Shape<number> {
  return refine(number({ min: 0 }), (value, context, node) =>
    value > 0
      ? value
      : invalid(context, node, {
          code: "out-of-range",
          message: `${pathText(context.path)} must be above 0`,
        }),
  );
}
