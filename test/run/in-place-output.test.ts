import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

it.each([
  ["is graded as the run left it", "sed -i s/draft/final/ sales.csv", 0, "PASSED"],
  ["is no output where the run did not touch it", "true", 1, "existed before, and the run did not change it"],
])("an input that is the output_file too %s", async (_, bash, exitCode, words) => {
  await using project = await tempTree({
    "assay.config.json": "{}",
    "clean/SKILL.md": "---\nname: clean\ndescription: Cleans tables.\n---\n\nClean the table in place.\n",
    "clean/sales.csv": "state\ndraft\n",
    "clean/SKILL.eval.json": JSON.stringify({
      test_args: "sales.csv",
      input_files: ["sales.csv"],
      output_file: "sales.csv",
      assertions: [{ id: "final", type: "contains", needle: "final" }],
    }),
    "script.json": JSON.stringify({ replies: [{ steps: [{ bash }, { text: "Done" }] }] }),
  });
  const run = await assay(["run", "clean", "--harness", "scripted", "--script", "script.json"], {
    cwd: project.root,
  });
  expect(`${run.out}${run.err}`.toLowerCase()).toContain(words.toLowerCase());
  expect(run.exitCode).toBe(exitCode);
});
