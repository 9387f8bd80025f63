import { expect, it } from "vitest";
import { seededRandom } from "../../src/stats/random.ts";
import { withStandIns } from "../support/stand-in.ts";
import { countingProject } from "./counting-drafts.ts";

/** How many of so many loops adopt a version, where each check of each run passes with this probability. */
async function adopted(loops: number, rateOf: (skillText: string) => number): Promise<number> {
  const random = seededRandom(7);
  let count = 0;
  for (let loop = 0; loop < loops; loop++) {
    await using tree = await countingProject(2, {
      agent: (skill) =>
        ["alpha", "beta"].filter(() => random() < rateOf(skill)).join(" ") || "nothing to say",
    });
    const size = ["--rounds", "2", "--runs", "1", "--fresh-runs", "3"];
    const { out, err, exitCode } = await withStandIns(tree, "improve", "writer", ...size);
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    if (out !== "") count++;
  }
  return count;
}

it("edits that change nothing are adopted in at most 4 of 40 loops", { timeout: 2_400_000 }, async () => {
  expect(await adopted(40, () => 0.5)).toBeLessThanOrEqual(4);
});

it("an edit that makes every check pass is adopted", { timeout: 300_000 }, async () => {
  expect(await adopted(2, (skill) => (skill.includes("Draft 0.") ? 0.1 : 1))).toBe(2);
});
