import { describe, expect, it } from "vitest";
import { expectArtifacts, onlyComparison } from "./artifacts.ts";
import { BUILTIN, csvReport, exampleProject, releaseNotes } from "./example-project.ts";

describe("csv-report", () => {
  it("two iterations: checks, blind judges and analysis", async () => {
    await using project = await csvReport();
    const { out, exitCode } = await project.assay("compare", "1", "2", "--analyze", "--transport", "api");
    expect(out).toMatchInlineSnapshot(`
      "iteration-2 against iteration-1

      checks: 0 regressed, 9 moved, 1 same
        moved      1: report.md says that there are 6 rows (0 of 1 -> 1 of 1 runs)
        moved      1: report.md gives 420 as the total of the amount column (0 of 1 -> 1 of 1 runs)
        moved      1: report.md names the two missing values of shipped and the one of customer (0 of 1 -> 1 of 1 runs)
        moved      1: The findings point out that the amount of 310 is far above the mean (0 of 1 -> 1 of 1 runs)
        moved      1: The numbers were computed by running the skill's script, not read off by eye (0 of 1 -> 1 of 1 runs)
        moved      1: the file report.md matches /(?m)^Rows: 6$/ (0 of 1 -> 1 of 1 runs)
        moved      1: the tool Bash is called with arguments that match /summary\\.py/ (0 of 1 -> 1 of 1 runs)
        moved      2: report.md says Rows: 0 (0 of 1 -> 1 of 1 runs)
        moved      2: The answer says that the file has no rows and gives no totals (0 of 1 -> 1 of 1 runs)
        what moved may be chance; 3 runs of each case, before and now, would settle it if this continues

      blind: leans to iteration-2, not confirmed (2 of 2 pairs of outputs, p = 0.500); 6 pairs are needed to say more: run the cases more often, or add some
        on other cases: 6 cases are needed to say anything
        of 6 votes: 6 for iteration-2, 0 for iteration-1
        1: iteration-2 (3 of 3): iteration-2 is exact; iteration-1 is a guess.
        2: iteration-2 (3 of 3): iteration-2 says that the file is empty; iteration-1 calls it fine.
        judges chose alike in both orders in 100 % of their judgements

      analysis: 1 suggestion, 1 dropped for lack of support
        high, tools: Have the numbers computed by scripts/summary.py.
          SKILL.md:9 "Open the file and write down what you see."; event 6 "worth about 400 in total"

      files: .assay/csv-report/grading/iteration-2-vs-iteration-1
      "
    `);
    expect(exitCode).toBe(0);
    expect(project.sim.unmatched).toEqual([]);
    await expectArtifacts(
      project,
      ".assay/csv-report/grading/iteration-2-vs-iteration-1",
      "csv-report-iterations",
    );
  });

  it("two run folders", async () => {
    await using project = await csvReport();
    const run = (iteration: number) =>
      `.assay/csv-report/iteration-${iteration}/eval-1-orders/with_skill/run-1`;
    const { out, exitCode } = await project.assay(
      "compare",
      run(1),
      run(2),
      "--analyze",
      "--transport",
      "api",
    );
    expect(out).toContain("blind: leans to iteration-2/eval-1-orders/with_skill/run-1, not confirmed");
    expect(exitCode).toBe(0);
    await expectArtifacts(project, await onlyComparison(project), "csv-report-runs");
  });

  it("two output files, by the checks of their case", async () => {
    await using project = await csvReport();
    const file = (iteration: number) =>
      `.assay/csv-report/iteration-${iteration}/eval-1-orders/with_skill/run-1/outputs/report.md`;
    const { out, exitCode } = await project.assay(
      "compare",
      file(2),
      file(1),
      "--skill",
      ".",
      "--case",
      "1",
      "--transport",
      "api",
    );
    expect(out).toContain(`blind: leans to ${file(2)}, not confirmed`);
    expect(exitCode).toBe(0);
    await expectArtifacts(project, await onlyComparison(project), "csv-report-files");
  });
});

describe("release-notes", () => {
  it("two tagged versions, which are run first", async () => {
    await using project = await releaseNotes();
    const args = ["compare", "v1.0", "HEAD", "--skill", ".", "--analyze", "--pairs", "2", ...BUILTIN];
    const { out, err, exitCode } = await project.assay(...args);
    expect(err).toContain("4 trials");
    expect(out).toMatchInlineSnapshot(`
      "HEAD against v1.0

      checks: 0 regressed, 13 moved, 2 same
        moved      release-notes: the output contains "## Breaking changes" (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output contains "## New" (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output contains "## Fixed" (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output does not contain "arm64" (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output does not contain "settings store" (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output has at least 5 numbered entries (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output matches /\\([0-9a-f]{7}\\)\\s*$/ at least 5 times (0 of 2 -> 2 of 2 runs)
        moved      release-notes: the output matches /(?s)\\A.*?## Breaking changes.*?## New.*?## Fixed/ (0 of 2 -> 2 of 2 runs)
        moved      release-notes: Changes has 5 to 5 entries (0 of 2 -> 2 of 2 runs)
        moved      release-notes: every entry of Changes has "commit", in the format [0-9a-f]{7} (0 of 2 -> 2 of 2 runs)
        moved      release-notes: The breaking change tells the user what to do: move the settings from .apprc to app.config.json. (0 of 2 -> 2 of 2 runs)
        moved      release-notes: Every line says what the user can see or do, not how it was built. (0 of 2 -> 2 of 2 runs)
        moved      release-notes: No change is mentioned that is not in the list of commits. (0 of 2 -> 2 of 2 runs)
        what moved may be chance; 4 runs of each case, before and now, would settle it if this continues

      blind: leans to HEAD, not confirmed (2 of 2 pairs of outputs, p = 0.500); 6 pairs are needed to say more: run the cases more often, or add some
        of 6 votes: 6 for HEAD, 0 for v1.0
        release-notes: HEAD (3 of 3): HEAD is written for users; v1.0 is a list of commits.
        release-notes, run 2: HEAD (3 of 3): HEAD is written for users; v1.0 is a list of commits.
        judges chose alike in both orders in 100 % of their judgements

      analysis: 1 suggestion
        high, instructions: Say that the notes are for users, and drop the call to list commits.
          SKILL.md:11 "List the commits."; event 2 "split the settings store"

      files: .assay/comparisons/294d63f1d424
      "
    `);
    expect(exitCode).toBe(0);
    expect(project.sim.unmatched).toEqual([]);
    await expectArtifacts(project, await onlyComparison(project), "release-notes-versions");
  });
});

describe("conventional-comments", () => {
  it("a tie, and what held both back", async () => {
    await using project = await exampleProject("conventional-comments", ".");
    await project.run(null);
    await project.run(["One comment per finding.", "One short comment per finding."]);
    const { out, exitCode } = await project.assay("compare", "1", "2", "--analyze", "--transport", "api");
    expect(out).toMatchInlineSnapshot(`
      "iteration-2 against iteration-1

      checks: 0 regressed, 8 same

      blind: a tie (3 pairs of outputs)
        of 9 votes: 0 for iteration-2, 0 for iteration-1, 9 ties
        001: tie: iteration-2 and iteration-1 say the same.
        002: tie, the outputs are the same
        security--001: tie, the outputs are the same
        judges chose alike in both orders in 100 % of their judgements

      analysis: 1 suggestion
        low, structure: Ask for the line of code first and the reason after it.
          SKILL.md:20 "One comment per finding."; event 4 "Guard it first"

      files: .assay/conventional-comments/grading/iteration-2-vs-iteration-1
      "
    `);
    expect(exitCode).toBe(0);
    expect(project.asked("equal")).toBe(6);
    await expectArtifacts(
      project,
      ".assay/conventional-comments/grading/iteration-2-vs-iteration-1",
      "conventional-comments-tie",
    );
  });
});

describe("decision-record", () => {
  it("a judge that prefers what it reads first decides nothing", async () => {
    await using project = await exampleProject("decision-record", "skills/decision-record");
    await project.run(null);
    await project.run(["A decision record answers", "Be brief. A decision record answers"]);
    const { out, exitCode } = await project.assay("compare", "1", "2", "--json", "--transport", "api");
    expect(JSON.parse(out)).toMatchObject({
      flips: [],
      blind: {
        winner: "TIE",
        leaning: null,
        votes: { first: 0, second: 0, TIE: 6, split: 3, unscored: 0 },
        position_agreement: 0,
      },
    });
    expect(exitCode).toBe(0);
    await expectArtifacts(
      project,
      ".assay/decision-record/grading/iteration-2-vs-iteration-1",
      "decision-record-biased",
    );
  });
});
