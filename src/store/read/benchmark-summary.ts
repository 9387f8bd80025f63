import { type DocNode, valueOf } from "../../lib/document/node.ts";
import { object } from "../../lib/shape/object.ts";
import { below, INVALID, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { list, number, refine, text, wrongType } from "../../lib/shape/values.ts";
import { byKind, lenient } from "./result-file.ts";

export interface RunSummary {
  readonly configurations: readonly ConfigurationSummary[];
  readonly delta: BenchmarkDelta;
}

export interface ConfigurationSummary {
  readonly name: string;
  readonly passRate: Spread | null;
  readonly timeSeconds: Spread | null;
  readonly tokens: Spread | null;
}

/** Null is unknown: agentskills.io writes no extremes. */
interface Spread {
  readonly mean: number | null;
  readonly stddev: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export interface BenchmarkDelta {
  readonly passRate: Delta | null;
  readonly timeSeconds: Delta | null;
  readonly tokens: Delta | null;
}

interface Delta {
  /** Null when the text is no plain number, such as `+14.3%`. */
  readonly value: number | null;
  readonly text: string;
}

const loose = { unknownKeys: "allowed" } as const;

const spread: Shape<Spread> = byKind<Spread>(
  {
    int: refine(number(), meanOnly),
    float: refine(number(), meanOnly),
  },
  object(
    { mean: lenient(number()), stddev: lenient(number()), min: lenient(number()), max: lenient(number()) },
    loose,
  ),
);

const configuration = object(
  {
    pass_rate: lenient(spread),
    time_seconds: lenient(spread),
    tokens: lenient(spread),
    mean_pass_rate: lenient(number()),
    stddev_pass_rate: lenient(number()),
    mean_tokens: lenient(number()),
  },
  loose,
);

const deltaValue: Shape<Delta> = byKind<Delta>(
  {
    int: refine(number(), (value) => ({ value, text: signed(value) })),
    float: refine(number(), (value) => ({ value, text: signed(value) })),
  },
  refine(text(), (written) => ({ value: numberIn(written), text: written })),
);

const delta: Shape<BenchmarkDelta> = refine(
  object(
    { pass_rate: lenient(deltaValue), time_seconds: lenient(deltaValue), tokens: lenient(deltaValue) },
    loose,
  ),
  (raw) => ({ passRate: raw.pass_rate, timeSeconds: raw.time_seconds, tokens: raw.tokens }),
);

/** Any configuration names; what holds none of the three figures is noted and left out. Also a list of named entries. */
export const runSummary: Shape<RunSummary> = byKind<RunSummary>(
  { array: refine(list(named()), (configurations) => ({ configurations, delta: NO_DELTA })) },
  {
    schema: { type: "object" },
    read(node, context) {
      if (node.kind !== "object") return wrongType(node, context, "an object");
      const written = node.entries.find((entry) => entry.key === "delta");
      const read =
        written === undefined ? null : lenient(delta).shape.read(written.value, below(context, "delta"));
      const configurations = node.entries
        .filter((entry) => entry.key !== "delta")
        .flatMap((entry) => configurationOf(entry.key, entry.value, below(context, entry.key)) ?? []);
      return { configurations, delta: read === null || read === INVALID ? NO_DELTA : read };
    },
  },
);

const NO_DELTA: BenchmarkDelta = { passRate: null, timeSeconds: null, tokens: null };

function named(): Shape<ConfigurationSummary> {
  const name = object(
    { configuration: lenient(text()), config: lenient(text()), name: lenient(text()) },
    loose,
  );
  return {
    schema: { type: "object" },
    read(node, context) {
      const names = name.read(node, context);
      if (names === INVALID) return INVALID;
      const found = names.configuration ?? names.config ?? names.name ?? "";
      return configurationOf(found, node, context) ?? INVALID;
    },
  };
}

function configurationOf(name: string, node: DocNode, context: ReadContext): ConfigurationSummary | null {
  const raw = lenient(configuration).shape.read(node, context);
  if (raw === null || raw === INVALID) return null;
  const passRate = raw.pass_rate ?? spreadOf(raw.mean_pass_rate, raw.stddev_pass_rate);
  const tokens = raw.tokens ?? spreadOf(raw.mean_tokens, null);
  // An arm of which nothing is known says so.
  const isTold = ["pass_rate", "time_seconds", "tokens"].every((key) => valueOf(node, key) !== undefined);
  if (isTold || passRate !== null || raw.time_seconds !== null || tokens !== null) {
    return { name, passRate, timeSeconds: raw.time_seconds, tokens };
  }
  context.report({
    severity: "note",
    offset: node.start,
    code: "no-figures",
    message: `${JSON.stringify(name)} has neither pass_rate nor time_seconds nor tokens and is left out`,
  });
  return null;
}

function spreadOf(mean: number | null, stddev: number | null): Spread | null {
  return mean === null ? null : { mean, stddev, min: null, max: null };
}

function meanOnly(mean: number): Spread {
  return { mean, stddev: null, min: null, max: null };
}

function signed(value: number): string {
  return value >= 0 ? `+${value}` : String(value);
}

function numberIn(written: string): number | null {
  const plain = written.trim().replace("\u2212", "-");
  return /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) + 0 : null;
}
