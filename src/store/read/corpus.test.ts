import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpus } from "../../../test/support/corpus.ts";
import { benchmarkReader } from "./benchmark.ts";
import { comparisonReader } from "./comparison.ts";
import { gradingReader } from "./grading.ts";
import { metricsReader } from "./metrics.ts";
import type { ResultFile } from "./result-file.ts";
import { timingReader } from "./timing.ts";

/** How many of each are refused, and for what reasons. */
const KINDS: [string, ResultFile<unknown>, { readonly refused: number; readonly reasons: RegExp }][] = [
  ["grading", gradingReader, { refused: 1, reasons: /^file\/syntax$/ }],
  ["benchmark", benchmarkReader, { refused: 8, reasons: /^(file\/syntax|benchmark\/other-format)$/ }],
  ["timing", timingReader, { refused: 3, reasons: /^file\/syntax$/ }],
  ["metrics", metricsReader, { refused: 4, reasons: /^metrics\/other-format$/ }],
  ["comparison", comparisonReader, { refused: 1, reasons: /^comparison\/missing-key$/ }],
];

describeCorpus("published result files", "corpus", (corpus) => {
  it.each(KINDS)("%s files are read, or refused with their true reason", (kind, reader, allowed) => {
    const refused: string[] = [];
    for (const name of readdirSync(join(corpus, kind))) {
      const { value, diagnostics } = reader.parse(name, readFileSync(join(corpus, kind, name), "utf8"));
      const reasons = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
      if (value === null) refused.push(name);
      const untrue = reasons.filter((code) => !allowed.reasons.test(code));
      expect({ name, refused: value === null, untrue }).toEqual({
        name,
        refused: reasons.length > 0,
        untrue: [],
      });
      expect({ name, value: JSON.parse(JSON.stringify(value)) as unknown }).toEqual({ name, value });
    }
    expect(refused).toHaveLength(allowed.refused);
  });
});
