import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type PythonAnswer, askPython } from "./ask-python.ts";
import { differences } from "./compare.ts";
import { generatePairs } from "./generate.ts";

/** What Python says of a sample, for machines without it; `UPDATE_GOLDEN=1` writes it anew. */
const RECORDED = new URL("recorded.json", import.meta.url);
const pairs = generatePairs(14, 500);
const python = askPython(pairs);
if (process.env["UPDATE_GOLDEN"] === "1" && python !== null) {
  writeFileSync(RECORDED, `[\n${python.map((answer) => JSON.stringify(brief(answer))).join(",\n")}\n]\n`);
}
const recorded = existsSync(RECORDED)
  ? (JSON.parse(readFileSync(RECORDED, "utf8")) as readonly PythonAnswer[])
  : [];

it("agrees with what Python's re was recorded to say, but for what is explained", () => {
  expect(recorded).toHaveLength(pairs.length);
  expect(recorded.filter((answer) => !("error" in answer)).length).toBeGreaterThan(350);
  expect(differences(pairs, recorded).filter(({ cause }) => cause === null)).toEqual([]);
});

it.skipIf(python === null)("was recorded from the pairs that are generated now", () => {
  expect(python?.map(brief)).toEqual(recorded);
});

/** Only what decides: Python's versions word their refusals differently. */
function brief(answer: PythonAnswer): PythonAnswer {
  if (!("error" in answer)) return answer;
  const isWidth = answer.error.startsWith("look-behind requires fixed-width pattern");
  return { error: isWidth ? "look-behind requires fixed-width pattern" : "refused" };
}
