import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpus } from "../../../../test/support/corpus.ts";
import { PLACES, loadText, roundTrip } from "./fixtures/load.ts";

describeCorpus("the format document", "seeds/bmad-eval-format.txt", (seed) => {
  it("loads and round-trips every example of the format document", async () => {
    const document = readFileSync(seed, "utf8");
    const [whole] = /\{ "skill_name"[\s\S]*?\] *\}(?=Field)/.exec(document) ?? [];
    const [fragment] = /\{ "id": "B8"[\s\S]*?\}/.exec(document) ?? [];
    const [queries] = /\[ \{ "query"[\s\S]*?\}\](?=Field)/.exec(document) ?? [];
    // The document shows one eval alone, without its expectations, where it is about timeouts.
    const shown = { ...(JSON.parse(fragment ?? "") as object), expectations: ["The distillate exists"] };
    const examples = [
      { text: whole ?? "", path: PLACES.evals },
      { text: JSON.stringify({ evals: [shown] }), path: PLACES.evals },
      { text: queries ?? "", path: PLACES.triggers },
    ];
    for (const { text, path } of examples) {
      const { diagnostics } = await loadText(text, { path });
      expect(diagnostics.filter(({ code }) => code !== "bmad/missing-file")).toEqual([]);
      const { before, after } = await roundTrip(text, { path });
      expect(after).toEqual(before);
    }
  });
});

describeCorpus("real files", "corpus/bmad", (corpus) => {
  it("loads every file of the corpus or says what it is", async () => {
    const names = readdirSync(corpus);
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const path = /triggers\.(?:@\w+\.)?json$/.test(name) ? PLACES.triggers : PLACES.evals;
        const text = readFileSync(join(corpus, name), "utf8");
        const { file, diagnostics, recognised } = await loadText(text, { path });
        return {
          dialect: recognised?.dialect,
          cases: file?.cases.length,
          codes: diagnostics.map(({ code }) => code),
        };
      }),
    );
    const loaded = outcomes.filter(({ cases }) => cases !== undefined);
    const refused = outcomes.filter(({ cases }) => cases === undefined);
    expect(loaded.length).toBeGreaterThan(0);
    expect(new Set(loaded.map(({ dialect }) => dialect))).toEqual(new Set(["triggers"]));
    expect(new Set(refused.map(({ dialect }) => dialect))).toEqual(
      new Set(["fragment-selection", "interview"]),
    );
    expect(new Set(refused.flatMap(({ codes }) => codes))).toEqual(new Set(["bmad/other-shape"]));
  });
});
