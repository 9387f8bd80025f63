import { expect, it } from "vitest";
import { seededRandom } from "../../src/stats/random.ts";
import { comparisonReplyOf, shownOutputs } from "../support/comparing.ts";
import { standInConfig, withStandIns } from "../support/stand-in.ts";
import { tempTree } from "../support/temp-tree.ts";

type Judge = (shown: readonly [Output, Output], random: () => number) => boolean;

interface Output {
  readonly quality: number;
  readonly length: number;
}

/** Whether each kind of judge prefers the output that it is shown first. Three of them are asked about every pair. */
const JUDGES = {
  identical: ([one, two]) => one.quality > two.quality,
  "position-biased": ([one, two]) => one.quality > two.quality - 0.6,
  "length-biased": ([one, two]) => one.length > two.length,
  noisy: ([one, two], random) => one.quality - two.quality + 3 * (random() - 0.5) > 0,
} satisfies Readonly<Record<string, Judge>>;

function outputIn(text: string): Output {
  const [, quality = "0", words = ""] = /quality (\d+)((?: word)*)/.exec(text) ?? [];
  return { quality: Number(quality) / 1e9, length: words.length };
}

/** Who wins and how it exits, over so many comparisons of two versions. Outputs differ in length by chance alone. */
async function winners(
  count: number,
  qualityOf: (skillText: string, random: () => number) => number,
  judge: Judge = JUDGES.identical,
) {
  const random = seededRandom(15);
  const found: Record<string, number> = { "first 1": 0, "second 0": 0, "TIE 0": 0 };
  for (let comparison = 0; comparison < count; comparison++) {
    await using tree = await tempTree({
      "assay.config.mjs": standInConfig(`compared-${crypto.randomUUID()}`, {
        agent: (skill) =>
          `quality ${Math.floor(1e9 * qualityOf(skill, random))}${" word".repeat(Math.floor(99 * random()))}`,
        model: (question) => {
          const [one, two] = shownOutputs(question);
          const isFirst = judge([outputIn(one), outputIn(two)], random);
          return comparisonReplyOf(isFirst ? 5 : 3, isFirst ? 3 : 5);
        },
      }),
      ...skillIn("old", "Write well."),
      ...skillIn("new", "Write very well."),
    });
    const versions = ["old/writer", "new/writer"];
    const { out, exitCode } = await withStandIns(tree, "compare", ...versions, "--runs", "3", "--json");
    const { blind } = JSON.parse(out) as { blind: { winner: string } };
    const winner = { "old/writer": "first", "new/writer": "second" }[blind.winner] ?? blind.winner;
    found[`${winner} ${exitCode}`] = (found[`${winner} ${exitCode}`] ?? 0) + 1;
  }
  return found;
}

function skillIn(folder: string, body: string) {
  const evals = [1, 2].map((id) => ({ id, prompt: `Write ${id}`, expectations: [] }));
  return {
    [`${folder}/writer/SKILL.md`]: `---\nname: writer\ndescription: Writes.\n---\n\n${body}\n`,
    [`${folder}/writer/evals/evals.json`]: JSON.stringify({ skill_name: "writer", evals }),
  };
}

it.each(Object.entries(JUDGES))(
  "two equal versions compared 40 times by %s judges have at most 4 winners",
  { timeout: 2_400_000 },
  async (_name, judge) => {
    const found = await winners(40, (_, random) => random(), judge);
    const decided = (found["first 1"] ?? 0) + (found["second 0"] ?? 0);
    expect(decided + (found["TIE 0"] ?? 0)).toBe(40);
    expect(decided).toBeLessThanOrEqual(4);
  },
);

it(
  "a version that is always better wins, and one that is always worse exits 1",
  { timeout: 300_000 },
  async () => {
    const better = await winners(1, (skill, random) => random() + (skill.includes("very") ? 1 : 0));
    expect(better["second 0"]).toBe(1);
    const worse = await winners(1, (skill, random) => random() + (skill.includes("very") ? 0 : 1));
    expect(worse["first 1"]).toBe(1);
  },
);
