import { expect, it } from "vitest";
import { comparisonReplyOf, shownOutputs } from "../support/comparing.ts";
import { standInConfig, withStandIns } from "../support/stand-in.ts";
import { tempTree } from "../support/temp-tree.ts";

function skillIn(folder: string, body: string) {
  const evals = [1, 2].map((id) => ({ id, prompt: `Write ${id}`, expectations: [] }));
  return {
    [`${folder}/writer/SKILL.md`]: `---\nname: writer\ndescription: Writes.\n---\n\n${body}\n`,
    [`${folder}/writer/evals/evals.json`]: JSON.stringify({ skill_name: "writer", evals }),
  };
}

/** The new version is preferred on the first case; on the second both answer the same. */
function project() {
  return tempTree({
    "assay.config.mjs": standInConfig(`looking-again-${crypto.randomUUID()}`, {
      agent: (skill, prompt) => (prompt.includes("1") && skill.includes("very") ? "good" : "plain"),
      model: (question) => {
        const isFirst = shownOutputs(question)[0].includes("good");
        return comparisonReplyOf(isFirst ? 5 : 3, isFirst ? 3 : 5);
      },
    }),
    ...skillIn("old", "Write well."),
    ...skillIn("new", "Write very well."),
  });
}

it("names no winner by adding runs until the judges agree", { timeout: 120_000 }, async () => {
  await using tree = await project();
  const compare = (...words: string[]) => withStandIns(tree, "compare", "old/writer", "new/writer", ...words);
  expect((await compare("--runs", "3")).out).toContain("leans to new/writer, not confirmed");
  const again = await compare("--runs", "6", "--resume");
  expect(again.err).toContain("this is look 2 at these runs, so p must be at most 0.005");
  expect(again.out).toContain("leans to new/writer, not confirmed (6 of 12 pairs of outputs, p = 0.031)");
  const fresh = await compare("--runs", "6");
  expect(fresh.err).not.toContain("look");
  expect(fresh.out).toContain("new/writer wins on these 2 cases (6 of 12 pairs of outputs, p = 0.031)");
});
