// Tests of the conventional-comments skill with node:test. They replay recorded models: no key, no network, no bill.
import { assertPasses, assertSatisfies, assertUsedSkill, skillTest } from "assay/node-test";

const test = skillTest("../conventional-comments", { harness: "builtin", maxCostUsd: 1 });
const prompt = "Write a review comment: the loop in parse.js reads the file again for each line.";

test("shows a way forward", async ({ skill }) => {
  const run = await skill.run(prompt);
  assertUsedSkill(run);
  await assertSatisfies(run, "The comment suggests reading the file once");
});

test("starts with a label, at least every second time", async ({ skill }) => {
  const checks = [{ type: "regex", pattern: "^\\*\\*(issue|suggestion)\\*\\*" }];
  await assertPasses(skill.task(prompt, { checks }), { rate: 0.5, runs: 6 });
});
