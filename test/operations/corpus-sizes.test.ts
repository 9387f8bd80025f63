import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CORPUS_SIZES } from "../../bench/simulate/corpus.ts";
import { describeCorpus } from "../support/corpus.ts";

/** Folders with eval files of cases; trigger sets are counted elsewhere. */
const FOLDERS = ["skill-creator-evals", "bmad", "other-skill-evals"];

describeCorpus("the sizes that simulations draw from", "corpus", (corpus) => {
  it("are those of the public eval files", () => {
    const counted: Record<number, number> = {};
    for (const folder of FOLDERS) {
      for (const name of readdirSync(join(corpus, folder)).filter((file) => file.endsWith(".json"))) {
        const cases = casesIn(readFileSync(join(corpus, folder, name), "utf8"));
        if (cases > 0) counted[cases] = (counted[cases] ?? 0) + 1;
      }
    }
    expect(counted).toEqual(CORPUS_SIZES);
  });
});

/** 0 where the file is no list of cases. */
function casesIn(text: string): number {
  const listed = listIn(text);
  const isTriggers = listed.some(
    (one) => typeof one === "object" && one !== null && ("should_trigger" in one || "query" in one),
  );
  return isTriggers ? 0 : listed.length;
}

function listIn(text: string): readonly unknown[] {
  try {
    const file = JSON.parse(text) as Readonly<Record<string, unknown>> | readonly unknown[] | null;
    if (Array.isArray(file)) return file.every((one) => typeof one === "object") ? file : [];
    const lists = ["evals", "cases", "test_cases", "scenarios"].map(
      (key) => (file as Readonly<Record<string, unknown>> | null)?.[key],
    );
    return (lists.find(Array.isArray) as readonly unknown[] | undefined) ?? [];
  } catch {
    return [];
  }
}
