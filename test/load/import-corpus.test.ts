import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { parseDocument } from "../../src/load/document.ts";
import { importers } from "../../src/load/formats/index.ts";
import { describeCorpus } from "../support/corpus.ts";

/** Every format folder of the corpus: what other tools' files are there, and that nothing else is taken for one. */
describeCorpus("real files of other tools", "corpus", (corpus) => {
  it("are each claimed by at most one importer, and none of the corpus's own formats by any", async () => {
    const opened = await Promise.all(
      importers.map(async ({ name, open }) => ({ name, format: await open() })),
    );
    const counts = new Map<string, number>(opened.map(({ name }) => [name, 0]));
    const folders = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const folder of folders) {
      for (const name of readdirSync(join(corpus, folder.name))) {
        const path = join(corpus, folder.name, name);
        if (!/\.(?:json|ya?ml)$/.test(path)) continue;
        const document = parseDocument(path, readFileSync(path, "utf8"), () => {});
        if (document === null) continue;
        const claimed = opened.filter(({ format }) => format.recognise(document)?.confidence === "certain");
        expect([basename(path), claimed.length < 2]).toEqual([basename(path), true]);
        const isOwn = folder.name !== "other-skill-evals";
        expect([path, isOwn && claimed.length > 0]).toEqual([path, false]);
        for (const one of claimed) counts.set(one.name, (counts.get(one.name) ?? 0) + 1);
      }
    }
    const listed = [...counts].map(([name, count]) => `${name} ${count === 0 ? "none there" : count}`);
    console.log(`files of other tools in the corpus: ${listed.join(", ")}`);
  });
});
