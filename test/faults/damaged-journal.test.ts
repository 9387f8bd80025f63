import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { seededRandom, shuffled } from "../../src/stats/random.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const JOURNAL = ".assay/greeter/iteration-1/journal.jsonl";
const SEED = Number(process.env["ASSAY_FAULT_SEED"] ?? 20_261_116);
/** With ASSAY_FAULTS=all every value of every event is damaged, which takes some minutes. */
const SAMPLE = process.env["ASSAY_FAULTS"] === "all" ? Infinity : 25;

async function project() {
  const made = await greeterProject(GOOD_REPLIES);
  const { exitCode } = await assay(RUN, { cwd: made.root });
  expect(exitCode).toBe(0);
  const lines = (await readFile(made.path(JOURNAL), "utf8")).trimEnd().split("\n");
  const say = (args: readonly string[]) => assay(args, { cwd: made.root });
  return { ...made, lines, say, write: (text: string) => writeFile(made.path(JOURNAL), text) };
}

describe("a damaged journal", { timeout: 60_000 }, () => {
  it.each([
    ["a line that is cut", (line: string) => line.slice(0, line.length / 2), "the line is not JSON"],
    ["a line of zeros", (line: string) => "\0".repeat(line.length), "the line is not JSON"],
    ["another list", () => "[1, 2]", "the line is not a journal event"],
    ["an event of another kind", () => '{"schema":1,"kind":"lunch","at":"noon"}', "at kind"],
    ["a run without its notes", (line: string) => line.replace('"notes":[]', '"notes":7'), "at run.notes"],
    [
      "a run whose trespasses are no list",
      (line: string) => line.replace('"trespasses":[]', '"trespasses":null'),
      "at run.trespasses",
    ],
    [
      "a run whose files lie elsewhere",
      (line: string) => line.replace('"folder":"', '"folder":"../../../'),
      "at folder",
    ],
  ])("is told by its line and read without it: %s", async (_, damage, words) => {
    await using made = await project();
    const at = made.lines.findIndex((line) => line.includes('"kind":"trial-finished"'));
    await made.write(`${made.lines.toSpliced(at, 1, damage(made.lines[at]!)).join("\n")}\n`);
    for (const args of [
      ["show", "greeter"],
      ["grade", "greeter"],
      [...RUN, "--resume"],
    ]) {
      const { exitCode, err } = await made.say(args);
      expect(err).toContain(`${JOURNAL}:${at + 1}:1`);
      expect(err).toContain(words);
      expect([0, 3]).toContain(exitCode);
    }
  });

  it("whose last line was being written is read without a word", async () => {
    await using made = await project();
    await made.write(made.lines.join("\n").slice(0, -20));
    for (const args of [
      ["show", "greeter"],
      ["grade", "greeter"],
    ])
      expect(await made.say(args)).toMatchObject({
        exitCode: 0,
        err: expect.not.stringContaining("journal"),
      });
  });

  it(
    "stops neither show nor grade, whichever value is missing or another",
    { timeout: 900_000 },
    async () => {
      await using made = await project();
      const damages = made.lines.flatMap((line, at) =>
        damaged(JSON.parse(line) as object).map((other) => ({ at, other: JSON.stringify(other) })),
      );
      const failures: string[] = [];
      for (const { at, other } of shuffled(damages, seededRandom(SEED)).slice(0, SAMPLE)) {
        await made.write(`${made.lines.toSpliced(at, 1, other).join("\n")}\n`);
        for (const command of ["show", "grade"]) {
          const { err } = await made.say([command, "greeter"]);
          if (err.includes("Assay itself failed")) failures.push(`${command}: ${other}\n${err}`);
        }
      }
      expect(damages.length).toBeGreaterThan(300);
      expect(failures).toEqual([]);
    },
  );
});

/** The value with one part of it left out or replaced, for each part and each of these. */
function damaged(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const others = [undefined, null, 7, "x", {}, []].map((other) => replaced(value, key, other));
    return [...others, ...damaged(part).map((other) => replaced(value, key, other))];
  });
}

function replaced(value: object, key: string, other: unknown): unknown {
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1, other);
  return { ...value, [key]: other };
}
