import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { temporaryFor } from "../lib/temporary-name.ts";
import { removeUnfinished } from "./remove-unfinished.ts";

it("removes files and folders that were being made, and nothing that an agent may have made", async () => {
  const kept = [
    "journal.jsonl",
    "eval-1/with_skill/run-1/grading.json",
    temporaryFor("eval-1/with_skill/run-1/outputs/deep/agents-own"),
    temporaryFor("eval-1/with_skill/run-1/inputs/given"),
    ".draft.tmp",
  ];
  const unfinished = [
    temporaryFor("run.json"),
    temporaryFor("eval-1/with_skill/run-1/grading.json"),
    `${temporaryFor("skill")}/SKILL.md`,
  ];
  await using tree = await tempTree(Object.fromEntries([...kept, ...unfinished].map((path) => [path, "x"])));
  await removeUnfinished(tree.root);
  const left = await readdir(tree.root, { recursive: true });
  expect(left.filter((path) => path.includes(".tmp") || kept.includes(path)).toSorted()).toEqual(
    kept.toSorted(),
  );
});
