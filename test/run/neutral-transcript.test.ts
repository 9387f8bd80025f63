import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

it("the transcript of a baseline names no skill", async () => {
  await using project = await greeterProject([{ steps: [{ text: "Good day" }] }, ...GOOD_REPLIES]);
  const bench = ["bench", ...RUN.slice(1), "--case", "1", "--runs", "1", "--no-grade"];
  await assay(bench, { cwd: project.root });
  const [withSkill, without] = await Promise.all(
    ["with_skill", "without_skill"].map((arm) =>
      readFile(project.path(`.assay/greeter/iteration-1/eval-1/${arm}/run-1/transcript.md`), "utf8"),
    ),
  );
  expect(withSkill).toContain("## Skill\n\ngreeter");
  expect(without).toContain("## Skill\n\nnone");
  expect(without).not.toContain("greeter");
});
