import { expect, it } from "vitest";
import { foreignAt } from "../../src/store/foreign/find.ts";
import { describeCorpus } from "../support/corpus.ts";
import { tempTree } from "../support/temp-tree.ts";
import { publishedWorkspaces } from "./published.ts";

/** Why a person would not expect a run to be read: the file is torn, it is another tool's, or only figures were published. */
const REASONS =
  /^(?:file\/syntax|(?:benchmark|grading)\/other-format|benchmark\/no-configuration|foreign\/unknown-arm)$/;
const ONLY_FIGURES = /(?:timing|metrics|comparison(?:_summary)?)\.json$/;

describeCorpus("published workspaces", "corpus", (corpus) => {
  it("are read, or refused for a reason that a person agrees with", async () => {
    await using tree = await tempTree();
    const workspaces = await publishedWorkspaces(corpus, tree.root);
    const counts = { runs: 0, graded: 0, odd: 0 };
    const refused: string[] = [];
    for (const [root, files] of workspaces) {
      const read = await (await foreignAt(root))?.read();
      counts.runs += read?.runs.length ?? 0;
      counts.graded += read?.runs.filter(({ grading }) => grading !== null).length ?? 0;
      counts.odd += (read?.problems.length ?? 0) > 0 ? 1 : 0;
      for (const run of read?.runs ?? [])
        for (const { checkId } of run.grading?.verdicts ?? [])
          expect(run.checks.map(({ id }) => id)).toContain(checkId);
      if ((read?.runs.length ?? 0) > 0) continue;
      const codes = (read?.problems ?? []).map(({ code }) => code);
      const why = codes.filter((code) => REASONS.test(code));
      const isFigures = files.every((file) => ONLY_FIGURES.test(file));
      refused.push(
        `${root.slice(tree.root.length + 1)}: ${why.join(", ") || (isFigures ? "only figures" : "")}`,
      );
      expect({ root, files, isAgreed: why.length > 0 || isFigures }).toMatchObject({
        isAgreed: true,
      });
    }
    console.log(
      `${workspaces.size} published workspaces: ${counts.runs} runs, ${counts.graded} of them graded; ${counts.odd} are odd in some way; ${refused.length} hold no run:\n  ${refused.join("\n  ")}`,
    );
    expect(counts.graded).toBeGreaterThan(300);
    expect(refused.length).toBeLessThan(workspaces.size / 4);
  });
});
