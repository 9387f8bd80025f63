import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpus } from "../../../../test/support/corpus.ts";
import { HEAD, load, roundTrip } from "./fixtures/load.ts";

describeCorpus("the format document", "seeds/skillet-eval-format.md", (seed) => {
  it("loads and round-trips every example of the format document", async () => {
    const blocks = [...readFileSync(seed, "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      (match) => match[1] ?? "",
    );
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    for (const block of blocks) {
      // The document shows `expected` alone where it is about nothing else.
      const text = block.includes("timestamp:") ? block : `${HEAD}prompt: x\n${block}`;
      const { diagnostics } = await load(text);
      // The document shows what not to write, too.
      expect(diagnostics.filter(({ code }) => code !== "skillet/vague-expected")).toEqual([]);
      const { before, after } = await roundTrip(text);
      expect(after).toEqual(before);
    }
  });
});

describeCorpus("real files", "corpus/skillet", (corpus) => {
  it("loads and round-trips every file of the corpus", async () => {
    const names = readdirSync(corpus);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const text = readFileSync(join(corpus, name), "utf8");
      const path = `/e/${name}`;
      expect(await load(text, path)).toMatchObject({
        diagnostics: [],
        recognised: { confidence: "certain" },
      });
      const { before, after } = await roundTrip(text, path);
      expect(after).toEqual(before);
    }
  });
});
