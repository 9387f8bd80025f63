import { expect, it } from "vitest";
import { UserError } from "../../src/domain/user-error.ts";
import { openResults } from "../../src/operations/view.ts";
import { publishedWorkspaces } from "../foreign/published.ts";
import { describeCorpus } from "../support/corpus.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";

describeCorpus("published workspaces in the viewer", "corpus", (corpus) => {
  it("open on every page, or are refused in words", async () => {
    await using tree = await tempTree();
    await using home = await tempTree();
    const thrown: unknown[] = [];
    const counts = { opened: 0, runs: 0, refused: 0 };
    for (const [root] of await publishedWorkspaces(corpus, tree.root)) {
      const results = await openResults({ folder: root }, { machine: machineIn(home.root) }).catch(
        (error: unknown) => {
          if (!(error instanceof UserError)) thrown.push(error);
          return null;
        },
      );
      if (results?.start === undefined || results.start === null) {
        counts.refused++;
        continue;
      }
      counts.opened++;
      const at = results.start;
      const { cases } = await results.iteration(at);
      await results.feedback(at);
      for (const { trial } of cases.flatMap(({ arms }) => arms.flatMap(({ runs }) => runs))) {
        counts.runs++;
        await results.run({ ...at, trial });
        await results.timelineIndex({ ...at, trial });
        await results.timeline({ ...at, trial }, 0);
      }
    }
    console.log(`${counts.opened} opened with ${counts.runs} runs, ${counts.refused} refused`);
    expect(thrown).toEqual([]);
    expect(counts.opened).toBeGreaterThan(3 * counts.refused);
  });
});
