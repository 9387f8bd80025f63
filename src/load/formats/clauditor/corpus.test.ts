import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeCorpus } from "../../../../test/support/corpus.ts";
import { loadSpecValue, loadText } from "./fixtures/load-text.ts";
import { pathWithInputs, expectRoundTrip, recognised } from "./fixtures/spec-files.ts";

/** The JSON objects that stand on lines of their own in a text. */
function jsonBlocks(text: string): string[] {
  return [...text.matchAll(/^\{\n[\s\S]*?^\}$/gm)].map((match) => match[0]);
}

describe("the format document", () => {
  it("is right about its bullets: ^ matches at every line in min_count", async () => {
    const { file } = await loadSpecValue({
      assertions: [{ id: "three_bullets", type: "min_count", pattern: "^- ", count: 3 }],
    });
    expect(file?.cases[0]?.checks).toMatchObject([{ kind: "min_count", pattern: "^- ", count: 3 }]);
  });
});

describeCorpus("the format document's examples", "seeds/clauditor-eval-spec.txt", (seed) => {
  it("all load and come back whole", async () => {
    const examples = jsonBlocks(readFileSync(seed, "utf8"));
    expect(examples).toHaveLength(5);
    for (const [index, text] of examples.entries()) {
      await expectRoundTrip(text, await pathWithInputs(text, `example-${index}/my-skill.eval.json`));
    }
  });
});

describeCorpus("files of the wild", "corpus/clauditor", (corpus) => {
  const names = existsSync(corpus) ? readdirSync(corpus).filter((name) => name.endsWith(".json")) : [];
  const texts = names.map((name) => [name, readFileSync(join(corpus, name), "utf8")] as const);
  const isOld = (text: string) => /"value":/.test(text);

  it("are all recognised", () => {
    const unknown = texts.filter(([, text]) => recognised(JSON.parse(text)) !== "certain");
    expect(unknown).toEqual([]);
  });

  it("load and come back whole in today's shape", async () => {
    const today = texts.filter(([, text]) => !isOld(text));
    expect(today.length).toBeGreaterThan(1);
    for (const [name, text] of today)
      await expectRoundTrip(text, await pathWithInputs(text, `${name}/SKILL.eval.json`));
  });

  it("get every error with a hint in the old shape", async () => {
    const old = texts.filter(([, text]) => isOld(text));
    expect(old.length).toBeGreaterThan(3);
    for (const [name, text] of old) {
      const { file, lines } = await loadText(text, {
        path: await pathWithInputs(text, `${name}/a.eval.json`),
      });
      expect(file).toBeNull();
      const values = text.match(/"value":/g) ?? [];
      expect(lines.filter((line) => /unknown key "value" \(did you mean "/.test(line))).toHaveLength(
        values.length,
      );
    }
  });
});
