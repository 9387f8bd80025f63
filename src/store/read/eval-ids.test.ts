import { expect, it } from "vitest";
import { aCase } from "../../../test/support/cases.ts";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { iterationFolder } from "../layout.ts";
import { readEvalIds } from "./eval-ids.ts";

const named = (id: string) => aCase({ id, declaredId: id });
const folders = new Map([
  ["b", "eval-b"],
  ["c", "eval-c"],
]);

it("takes the numbers that the metadata has: a few cases of many keep theirs", async () => {
  await using tree = await tempTree({
    "eval-b/eval_metadata.json": '{"eval_id": 2, "eval_name": "b", "prompt": ""}',
    "eval-c/eval_metadata.json": '{"eval_id": 3, "eval_name": "c", "prompt": ""}',
  });
  const ids = await readEvalIds(iterationFolder(tree.root), [named("b"), named("c")], folders);
  expect([...ids]).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
});

it.each([
  ["is missing", {}],
  [
    "has ids of two types",
    { "eval-b/eval_metadata.json": '{"eval_id": "x"}', "eval-c/eval_metadata.json": '{"eval_id": 3}' },
  ],
  [
    "has one id twice",
    { "eval-b/eval_metadata.json": '{"eval_id": 3}', "eval-c/eval_metadata.json": '{"eval_id": 3}' },
  ],
])("counts from 1 where the metadata %s", async (_name, files) => {
  await using tree = await tempTree(files);
  const ids = await readEvalIds(iterationFolder(tree.root), [named("b"), named("c")], folders);
  expect([...ids.values()]).toEqual([1, 2]);
});
