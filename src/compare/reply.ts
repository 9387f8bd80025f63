import { closedObject, listOf } from "../lib/shape/closed-schema.ts";
import { object, optional, required } from "../lib/shape/object.ts";
import type { JsonSchema, Shape } from "../lib/shape/shape.ts";
import { int, list, number, oneOf, refine, text } from "../lib/shape/values.ts";
import { higher, type Points, scorePoints } from "./score.ts";

/** What a judge says about two outputs in the order it was shown them. */
export interface ComparisonReply {
  readonly outputs: readonly [Assessed, Assessed];
  readonly reasoning: string;
  /** The place of the better output; null: neither is. */
  readonly winner: 1 | 2 | null;
  /** From 0 to 1. */
  readonly confidence: number;
}

export interface Assessed {
  readonly points: Points;
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
}

const loose = { unknownKeys: "allowed" } as const;
const line = text({ blank: "allowed" });
const points = list(
  object({ criterion: required(text()), points: required(int({ min: 1, max: 5 })) }, loose),
  { minLength: 1 },
);

const assessed = refine(
  object(
    {
      content: required(points),
      structure: required(points),
      strengths: optional(list(line), []),
      weaknesses: optional(list(line), []),
    },
    loose,
  ),
  (raw): Assessed => ({
    points: { content: byCriterion(raw.content), structure: byCriterion(raw.structure) },
    strengths: raw.strengths,
    weaknesses: raw.weaknesses,
  }),
);

export const comparisonReply: Shape<ComparisonReply> = refine(
  object(
    {
      output_1: required(assessed),
      output_2: required(assessed),
      reasoning: required(text()),
      winner: required(oneOf(["1", "2", "tie"])),
      confidence: required(number({ min: 0, max: 1 })),
    },
    loose,
  ),
  (raw): ComparisonReply => ({
    outputs: [raw.output_1, raw.output_2],
    reasoning: raw.reasoning,
    winner: raw.winner === "tie" ? null : raw.winner === "1" ? 1 : 2,
    confidence: raw.confidence,
  }),
  schema(),
);

/** What a judge says that cannot all be true; null when it fits together. */
export function contradiction({ outputs: [one, two], winner }: ComparisonReply): string | null {
  for (const part of ["content", "structure"] as const) {
    const [first, second] = [one, two].map(({ points: given }) =>
      Object.keys(given[part]).toSorted().join(", "),
    );
    if (first !== second)
      return `${part} has the criteria ${first} for output 1, but ${second} for output 2; use the same for both`;
  }
  const [a, b] = [scorePoints(one.points), scorePoints(two.points)];
  const scored = { A: "1", B: "2", TIE: "tie" }[higher(a.overall_score, b.overall_score)];
  const said = String(winner ?? "tie");
  if (scored === said) return null;
  return `winner and points contradict each other: winner is ${said}, but by the means of the points output 1 has ${a.overall_score} and output 2 has ${b.overall_score}, which makes it ${scored}`;
}

function byCriterion(
  given: readonly { readonly criterion: string; readonly points: number }[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(given.map((one) => [key(one.criterion), one.points]));
}

function key(criterion: string): string {
  const words = criterion
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
  return words === "" || words === "__proto__" ? "criterion" : words.slice(0, 60);
}

function schema(): JsonSchema {
  const words = { type: "string" };
  const rated = listOf(closedObject({ criterion: words, points: { type: "integer" } }));
  const one = closedObject({
    strengths: listOf(words),
    weaknesses: listOf(words),
    content: rated,
    structure: rated,
  });
  return closedObject({
    output_1: one,
    output_2: one,
    reasoning: words,
    winner: { enum: ["1", "2", "tie"] },
    confidence: { type: "number" },
  });
}
