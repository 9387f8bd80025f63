import type { Card } from "../../domain/card.ts";
import { required } from "../../lib/shape/object.ts";
import { fields } from "../../lib/shape/read-plain.ts";
import { invalid, pathText, type Shape } from "../../lib/shape/shape.ts";
import { bool, int, list, nullable, number, oneOf, refine, text } from "../../lib/shape/values.ts";

const count = int({ min: 0 });
const share = number({ min: 0, max: 1 });
const signed = number({ min: -1, max: 1 });
const digest = pattern(/^[0-9a-f]{64}$/, "the sha256 of a skill, 64 hexadecimal digits");
const when = pattern(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  "a time such as 2026-01-31T12:00:00.000Z",
);
const base64 = pattern(/^[A-Za-z0-9+/]+=*$/, "base64");

const bounds = nullable(fields({ low: required(signed), high: required(signed) }));

const rate = fields({
  passed: required(number({ min: 0 })),
  total: required(count),
  rate: required(nullable(share)),
  low: required(nullable(share)),
  high: required(nullable(share)),
});

const benchmark = fields({
  baseline: required(text()),
  verdict: required(oneOf(["better", "worse", "no difference seen", "underpowered", "invalid"])),
  lift: required(nullable(signed)),
  interval: required(bounds),
  alpha: required(share),
  cases: required(count),
  runs: required(fields({ treatment: required(count), baseline: required(count) })),
  otherCases: required(
    fields({
      verdict: required(oneOf(["better", "worse", "undecided", "too few", "invalid"])),
      interval: required(bounds),
      improvesAtLeast: required(nullable(share)),
      worsensAtLeast: required(nullable(share)),
    }),
  ),
});

const triggers = fields({
  valid: required(bool()),
  queries: required(count),
  unsettled: required(count),
  precision: required(rate),
  recall: required(rate),
});

const evidence = fields({
  iteration: required(int({ min: 1 })),
  purpose: required(oneOf(["run", "bench"])),
  at: required(when),
  agent: required(text()),
  client: required(nullable(text())),
  model: required(nullable(text())),
  judge: required(nullable(text())),
  versions: required(fields({ assay: required(text()), node: required(text()), platform: required(text()) })),
  evals: required(text()),
  cases: required(count),
  runs: required(count),
  missing: required(fields({ runs: required(count), checks: required(count) })),
  checks: required(rate),
  benchmark: required(nullable(benchmark)),
  triggers: required(nullable(triggers)),
});

/** A card as a file holds it. */
export const cardShape: Shape<Card> = fields({
  kind: required(oneOf(["assay-evidence-card"])),
  schema: required(
    refine(int(), (value, context, node) =>
      value === 1
        ? (1 as const)
        : invalid(context, node, { code: "newer", message: "schema must be 1; a newer Assay may read it" }),
    ),
  ),
  date: required(when),
  assay: required(text()),
  skill: required(fields({ name: required(text()), sha256: required(digest) })),
  evidence: required(list(evidence, { minLength: 1 })),
  signature: required(
    nullable(
      fields({
        algorithm: required(oneOf(["ed25519"])),
        publicKey: required(base64),
        value: required(base64),
      }),
    ),
  ),
});

function pattern(allowed: RegExp, what: string): Shape<string> {
  return refine(text(), (value, context, node) =>
    allowed.test(value)
      ? value
      : invalid(context, node, { code: "malformed", message: `${pathText(context.path)} must be ${what}` }),
  );
}
