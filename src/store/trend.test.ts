import { appendFile, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import type { TrendLine } from "../domain/trend.ts";
import { appendTrend, readTrend } from "./trend.ts";

const line = (iteration: number, verdict: TrendLine["verdict"] = "passed"): TrendLine => ({
  schema: 1,
  iteration,
  purpose: "run",
  at: "2026-01-15T10:30:00.000Z",
  group: null,
  suite: "demo",
  harness: "scripted",
  model: null,
  client: null,
  skill: null,
  evals: "",
  verdict,
  arms: {},
  lift: null,
});

it("keeps one line per finished iteration and answers the last word on each, in order", async () => {
  await using tree = await tempTree();
  const path = tree.path("trend.jsonl");
  expect(await readTrend(path)).toEqual([]);
  for (const one of [line(2), line(1), line(2, "failed")]) await appendTrend(path, one);
  expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(3);
  expect((await readTrend(path)).map(({ iteration, verdict }) => [iteration, verdict])).toEqual([
    [1, "passed"],
    [2, "failed"],
  ]);
});

it("passes over what it cannot read", async () => {
  await using tree = await tempTree();
  const path = tree.path("trend.jsonl");
  await appendTrend(path, line(1));
  await appendFile(path, 'not json\nnull\n{"schema":2,"iteration":9,"arms":{}}\n{"schema":1}\n');
  await appendTrend(path, line(3));
  expect((await readTrend(path)).map(({ iteration }) => iteration)).toEqual([1, 3]);
});

it("loses no line in one that a crash left unfinished", async () => {
  await using tree = await tempTree();
  const path = tree.path("trend.jsonl");
  await appendTrend(path, line(1));
  await appendFile(path, JSON.stringify(line(2)).slice(0, 40));
  await appendTrend(path, line(3));
  expect((await readTrend(path)).map(({ iteration }) => iteration)).toEqual([1, 3]);
});
