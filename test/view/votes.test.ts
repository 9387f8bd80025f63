import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { VotesPage } from "../../src/domain/pages.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS } from "../support/greeters.ts";
import { visit } from "./kit.ts";

const AT = { skill: "greeter", n: 1 };
const FILE = ".assay/greeter/iteration-1/votes.json";
const [WITH, WITHOUT] = ["1/with_skill/run-1", "1/without_skill/run-1"] as const;

it(
  "keeps one vote for each pair beside the results, and what others put there",
  { timeout: 60_000 },
  async () => {
    await using project = await greeters(1, HELPS);
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    await writeFile(project.path(FILE), JSON.stringify({ by: "somebody", votes: [{ mood: "good" }] }));
    await using visitor = await visit(project.root);
    expect((await visitor.page<VotesPage>(request.votes(AT))).votes).toEqual([]);
    const vote = (winner: string | null) =>
      visitor.post<VotesPage>(request.votes(AT), { tested: WITH, other: WITHOUT, winner });
    expect((await vote(WITH)).votes).toEqual([{ tested: WITH, other: WITHOUT, winner: WITH }]);
    expect((await vote(null)).votes).toEqual([{ tested: WITH, other: WITHOUT, winner: null }]);
    expect(JSON.parse(await readFile(project.path(FILE), "utf8"))).toEqual({
      by: "somebody",
      votes: [
        { mood: "good" },
        { tested: WITH, other: WITHOUT, winner: null, timestamp: expect.any(String) as unknown },
      ],
    });
    const refused: readonly [unknown, string][] = [
      [{ tested: WITH, other: "9/without_skill/run-1", winner: null }, "404"],
      [{ tested: WITH, other: WITHOUT, winner: "9/with_skill/run-1" }, "400"],
      [{ tested: WITH, other: WITH, winner: null }, "400"],
      [null, "400"],
    ];
    for (const [value, status] of refused)
      await expect(visitor.post(request.votes(AT), value)).rejects.toThrow(status);
  },
);

it("writes nothing over a file that it cannot read", { timeout: 60_000 }, async () => {
  await using project = await greeters(1, HELPS);
  await assay([...BENCH, "--smoke"], { cwd: project.root });
  await writeFile(project.path(FILE), "[torn");
  await using visitor = await visit(project.root);
  const vote = visitor.post(request.votes(AT), { tested: WITH, other: WITHOUT, winner: WITH });
  await expect(vote).rejects.toThrow("votes.json");
  expect(await readFile(project.path(FILE), "utf8")).toBe("[torn");
});
