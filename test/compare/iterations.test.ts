import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { analysisReader } from "../../src/store/read/analysis.ts";
import { comparisonReader } from "../../src/store/read/comparison.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { expectGolden } from "../support/golden.ts";
import { comparingProject, WARM } from "./comparing-project.ts";
import { analysis, asked, COMPARES, FAIR, OF_THE_FIRST, twoIterations } from "./warm-judge.ts";

const GOLDEN = join(dirname(fileURLToPath(import.meta.url)), "fixtures", "golden");
const GRADING = ".assay/greeter/grading/iteration-2-vs-iteration-1";

describe("two iterations", () => {
  it("are compared check by check and blind, and analyzed, in files of the seed's shape", async () => {
    await using project = await twoIterations();
    const { out, exitCode } = await project.assay("compare", "1", "2", "--analyze");
    expect(exitCode).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "iteration-2 against iteration-1

      checks: 0 regressed, 2 moved
        moved      1: the output contains "Hello dear Ada" (0 of 1 -> 1 of 1 runs)
        moved      2: the output contains "Hello dear Bob" (0 of 1 -> 1 of 1 runs)
        what moved may be chance; 3 runs of each case, before and now, would settle it if this continues

      blind: leans to iteration-2, not confirmed (2 of 2 pairs of outputs, p = 0.500); 6 pairs are needed to say more: run the cases more often, or add some
        on other cases: 6 cases are needed to say anything
        of 6 votes: 6 for iteration-2, 0 for iteration-1
        1: iteration-2 (3 of 3): iteration-1 and iteration-2 were weighed.
        2: iteration-2 (3 of 3): iteration-2 and iteration-1 were weighed.
        judges chose alike in both orders in 100 % of their judgements

      analysis: 1 suggestion, 1 dropped for lack of support
        high, instructions: Ask for warmth.
          SKILL.md:6 "Say hello."; event 4 "hi Ada"

      files: .assay/greeter/grading/iteration-2-vs-iteration-1
      "
    `);
    expect(asked(project, "first", "second")).toBe(12);
    expect(asked(project, "analysis")).toBe(2);
    const files = (await readdir(project.path(GRADING))).toSorted();
    await expectGolden(GOLDEN, { root: project.path(GRADING), files, project: project.root });
    for (const file of files.filter((name) => name.startsWith("comparison"))) {
      expect((await comparisonReader.read(project.path(`${GRADING}/${file}`))).diagnostics).toEqual([]);
    }
    const read = await analysisReader.read(project.path(`${GRADING}/analysis.json`));
    expect(read.diagnostics).toEqual([]);
    expect(read.value?.improvementSuggestions.map((one) => one.suggestion)).toEqual(["Ask for warmth."]);
  });

  it("cost nothing the second time, nor when only flips are wanted", async () => {
    await using project = await twoIterations();
    await project.assay("compare", "1", "2", "--flips");
    expect(asked(project, "first", "second")).toBe(0);
    const before = await project.assay("compare", "1", "2", "--json");
    const after = await project.assay("compare", "greeter@1", "greeter@2", "--json");
    expect(after.out).toBe(before.out);
    expect(asked(project, "first", "second")).toBe(12);
  });

  it("that were broken off are gone on with: nothing is paid twice", async () => {
    const broken = { name: "broken", when: COMPARES, fault: { status: 400 }, times: 5 };
    await using project = await twoIterations([broken, ...FAIR]);
    const first = await project.assay("compare", "1", "2", "--concurrency", "1");
    expect(first.exitCode).toBe(3);
    expect(first.out).toContain("unscored");
    const answered = asked(project, "first", "second");
    expect(answered).toBe(7);
    const second = await project.assay("compare", "1", "2", "--concurrency", "1");
    expect(second).toMatchObject({ exitCode: 0 });
    expect(second.out).toContain("leans to iteration-2");
    expect(asked(project, "first", "second")).toBe(12);
  });

  it("are known by every name that Assay itself calls them", async () => {
    await using project = await twoIterations();
    const { out } = await project.assay("compare", "greeter@1", "2", "--flips");
    expect(out).toContain("iteration-2 against iteration-1");
    for (const names of [
      ["iteration-1", "iteration-2"],
      ["greeter/iteration-1", "greeter/iteration-2"],
      [".assay/greeter/iteration-1", ".assay/greeter"],
      ["1:with_skill", "greeter"],
    ]) {
      expect(await project.assay("compare", ...names, "--flips")).toEqual({ out, err: "", exitCode: 0 });
    }
  });

  it("exit 0 where what got worse may be chance, and say so", async () => {
    await using project = await twoIterations();
    const { out, exitCode } = await project.assay("compare", "2", "1");
    expect(out).toContain("checks: 0 regressed, 2 moved");
    expect(out).toContain("blind: leans to iteration-2, not confirmed");
    expect(exitCode).toBe(0);
    expect(await readdir(project.path(".assay/greeter/grading"))).toEqual(["iteration-1-vs-iteration-2"]);
  });

  it("tie when the judge always prefers the first answer, and that is analyzed too", async () => {
    await using project = await twoIterations([
      { when: { system: "ended in a tie" }, reply: { json: analysis(OF_THE_FIRST) } },
      { name: "biased", when: COMPARES, reply: { json: comparisonReplyOf(5, 2) } },
    ]);
    const { out, exitCode } = await project.assay("compare", "1", "2", "--analyze");
    expect(out).toContain(
      "blind: a tie (2 pairs of outputs)\n  ALARM: in 6 of 6 votes the judge changed sides with the order",
    );
    expect(out).toContain("of 6 votes: 0 for iteration-2, 0 for iteration-1, 6 that changed with the order");
    expect(out).toContain("judges chose alike in both orders in 0 % of their judgements");
    expect(exitCode).toBe(0);
    const { value, diagnostics } = await analysisReader.read(project.path(`${GRADING}/analysis.json`));
    expect(diagnostics).toEqual([]);
    expect(value?.comparison.winner).toBe("TIE");
    expect(value?.extras["notes"]).toEqual([expect.stringContaining('nobody won: "winner" stands for')]);
  });

  it("leave judgements unscored that contradict themselves twice", async () => {
    await using project = await twoIterations([
      { name: "liar", when: COMPARES, reply: { json: comparisonReplyOf(5, 2, { winner: "2" }) } },
    ]);
    const { out, exitCode } = await project.assay("compare", "1", "2", "--case", "1", "--judges", "1");
    expect(out).toContain("unscored: winner and points contradict each other: winner is 2");
    expect(exitCode).toBe(3);
    expect(asked(project, "liar")).toBe(4);
  });

  it("with the same answers are a tie without a question", async () => {
    await using project = await comparingProject(FAIR);
    await project.run(WARM);
    await project.run(WARM);
    const { out, exitCode } = await project.assay("compare", "1", "2");
    expect(out).toContain("1: tie, the outputs are the same");
    expect(asked(project, "first", "second")).toBe(0);
    expect(exitCode).toBe(0);
  });

  it("compare their arms by variant, and no more repetitions than asked for", async () => {
    await using project = await twoIterations(FAIR, "--runs", "3");
    const few = ["--pairs", "2", "--judges", "1", "--case", "2"];
    const { out } = await project.assay("compare", "1:with_skill", "2", ...few);
    expect(out).toContain("2, run 2: iteration-2 (1 of 1)");
    expect(out).not.toContain("run 3");
    const unknown = await project.assay("compare", "1:old_skill", "2");
    expect(unknown.err).toContain("compare/no-variant");
  });
});
