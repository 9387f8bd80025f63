import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRuns } from "./runs.ts";

describe("findRuns", () => {
  it.each([
    [
      "ours",
      [
        "eval-1/with_skill/run-2/",
        "eval-1/with_skill/run-10/",
        "triggers/q001/with_skill/run-1/",
        "triggers/q001/run-1/",
        "attempts/eval-1~x/1/files/",
      ],
      ["eval-1 with_skill 2", "eval-1 with_skill 10"],
    ],
    [
      "flat, as agentskills.io documents it",
      ["eval-ocean/with_skill/outputs/", "eval-ocean/old_skill/grading.json"],
      ["eval-ocean old_skill 1", "eval-ocean with_skill 1"],
    ],
    [
      "named after what the evals are about",
      ["ocean-poem/with_skill/run-1/", "birthday card/old_skill/outputs/"],
      ["birthday card old_skill 1", "ocean-poem with_skill 1"],
    ],
    ["below runs/", ["runs/eval-0/without_skill/run-1/"], ["eval-0 without_skill 1"]],
    ["a version of the first generation", ["runs/run-1/outputs/a.txt", "skill/"], ["eval-0 with_skill 1"]],
    ["nothing", ["notes/", "eval-1/inputs/x.txt"], []],
  ])("in a folder that is %s", async (_, paths, expected) => {
    const root = await mkdtemp(join(tmpdir(), "runs-"));
    try {
      for (const path of paths) {
        await mkdir(join(root, path.slice(0, path.lastIndexOf("/"))), { recursive: true });
        if (!path.endsWith("/")) await writeFile(join(root, path), "{}");
      }
      const found = await findRuns(root);
      expect(
        found.map(({ evalFolder, configuration, number }) => `${evalFolder} ${configuration} ${number}`),
      ).toEqual(expected);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("is empty where there is no folder", async () => {
    expect(await findRuns(join(tmpdir(), "no-such-folder"))).toEqual([]);
  });
});
