import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { isTemporary, temporaryFor } from "../../src/lib/temporary-name.ts";
import { judgedProject, type JudgedProject } from "../support/judged-project.ts";

const TARGET = "skills/unit-table";
const DAYS_AGO = new Date(Date.now() - 3 * 24 * 3_600_000);

const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

it.each<[string, readonly string[], (project: JudgedProject) => string]>([
  ["remembered", [], ({ env }) => join(env["XDG_CACHE_HOME"]!, "assay", "answers")],
  ["recorded", ["--record"], ({ path }) => path(".assay/cassettes")],
])("what a kill left of %s answers is never read, and gone after a day", async (_, args, folder) => {
  await using project = await judgedProject("skill-creator");
  const first = await project.run(TARGET, ...args);
  const answers = await filesBelow(folder(project));
  expect(answers.length).toBeGreaterThan(1);
  const young: string[] = [];
  for (const answer of answers) {
    const [old, fresh] = [temporaryFor(answer), temporaryFor(answer)];
    await writeFile(old, '{"cassette":1,"ju');
    await utimes(old, DAYS_AGO, DAYS_AGO);
    await writeFile(fresh, "\0\0");
    young.push(fresh);
    await rm(answer);
  }
  const second = await project.run(TARGET, ...args);
  expect([second.exitCode, second.out.includes("unscored")]).toEqual([first.exitCode, false]);
  const after = await filesBelow(folder(project));
  const left = after.filter((path) => isTemporary(basename(path)));
  expect(left.toSorted()).toEqual(young.toSorted());
  expect(after.filter((path) => !left.includes(path)).toSorted()).toEqual(answers.toSorted());
});

it("a place for caches that cannot be written costs nothing but the cache", async () => {
  await using project = await judgedProject("skill-creator");
  const usual = await project.run(TARGET);
  await rm(project.env["XDG_CACHE_HOME"]!, { recursive: true });
  await writeFile(project.env["XDG_CACHE_HOME"]!, "");
  const { exitCode, err, out } = await project.run(TARGET);
  expect(exitCode).toBe(usual.exitCode);
  expect(out).not.toContain("unscored");
  expect(err).not.toMatch(/ENOTDIR|error:/);
});
