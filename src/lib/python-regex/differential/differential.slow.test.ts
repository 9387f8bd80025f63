import { expect, it } from "vitest";
import { groupBy } from "../../group-by.ts";
import { askPython } from "./ask-python.ts";
import { differences } from "./compare.ts";
import { generatePairs } from "./generate.ts";

const PAIRS = 40_000;
const SEED = Number(process.env["ASSAY_REGEX_SEED"] ?? 20_261_116);

it(`agrees with Python's re on ${PAIRS} generated pairs, but for what is explained`, (context) => {
  const pairs = generatePairs(SEED, PAIRS);
  const answers = askPython(pairs);
  if (answers === null) return context.skip("there is no python3");
  const different = differences(pairs, answers);
  const byCause = groupBy(different, ({ cause }) => cause ?? "not explained");
  const counts = [...byCause].map(([cause, all]) => `${cause}: ${all.length}`);
  console.log(`${PAIRS - different.length} of ${PAIRS} agree; ${counts.join("; ")}`);
  expect(different.filter(({ cause }) => cause === null).slice(0, 20)).toEqual([]);
}, 300_000);
