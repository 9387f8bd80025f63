// Tests of the release-notes skill in Vitest. They replay recorded models: no key, no network, no bill.
import { expect, skillTest } from "assay/vitest";

const test = skillTest("../release-notes", { harness: "builtin", maxCostUsd: 1 });
const files = ["../release-notes/fixtures/commits.txt"];
const prompt = "Write the release notes for 2.4.0 from commits.txt";

test("writes notes for users", async ({ skill }) => {
  const run = await skill.run(prompt, { files });
  expect(run).toHaveUsedSkill();
  expect(run.file("RELEASE_NOTES.md")).toContain("## Breaking changes");
  await expect(run).toSatisfy("The breaking change tells users what to do now");
});

test("passes the checks of its eval file", async ({ skill }) => {
  const run = await skill.case("release-notes").run();
  await expect(run).toPassChecks();
});

test("fires on what it is for, and on nothing else", async ({ skill }) => {
  expect(await skill.query(prompt)).toHaveTriggered();
  expect(await skill.query("Summarize this meeting", { shouldTrigger: false })).not.toHaveTriggered();
});

// Agents are not the same every time, so one run says little: this one fails once in eight runs.
test("mostly saves the notes as a file", async ({ skill }) => {
  const checks = [{ type: "file_exists", path: "RELEASE_NOTES.md" }];
  const task = skill.task("Save the release notes of 2.4.0", { files, checks });
  await expect(task).toPass({ rate: 0.5, confidence: 0.95, runs: 8 });
});

// A retry can turn the test green. The results keep the first run, so it cannot turn the pass rate green.
test("answers with the notes", { retry: 1 }, async ({ skill }) => {
  const run = await skill.run("Release notes of 2.4.0, in your answer please", { files });
  expect(run.output).toContain("## Fixed");
});

test("is better than no skill", async ({ skill }) => {
  await expect(skill).toBeat("no skill", { runs: 5 });
});
