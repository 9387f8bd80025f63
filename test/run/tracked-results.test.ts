import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS } from "../support/greeters.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

/** As a pull request brings them: the folder's own .gitignore is no obstacle to who wants that. */
function commitAll(project: TempTree): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
      cwd: project.root,
    });
  git("init", "-q");
  git("add", "-Af", ".");
  git("commit", "-qm", "results");
}

it.each(["--resume", "--affected", "--retry-errors", "--last-failed"])(
  "results that came with the repository are no runs for %s",
  async (flag) => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    commitAll(project);
    const { exitCode, err } = await assay([...RUN, flag], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("[run/tracked-results]");
    expect(err).toContain(`run without ${flag}`);
  },
);

it("baseline runs that came with the repository are made again", async () => {
  await using project = await greeters(2, HELPS);
  await assay([...BENCH, "--smoke"], { cwd: project.root });
  commitAll(project);
  const { out, err } = await assay([...BENCH, "--smoke"], { cwd: project.root });
  expect(err).toContain("no baseline runs are reused");
  expect(out).not.toContain("saved by reusing");
});
