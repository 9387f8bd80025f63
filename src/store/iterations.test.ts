import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import { createIteration, listIterations, unbegunIteration } from "./iterations.ts";
import { acquireLock } from "../lib/file-lock.ts";
import { suiteFolder } from "./layout.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "iterations-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it("finds none where there is no folder, and starts at 1", async () => {
  const suite = suiteFolder(join(root, "cards"));
  expect(await listIterations(suite.root)).toEqual([]);
  expect((await createIteration(suite)).number).toBe(1);
});

it("goes on after the highest, in the order of numbers, and ignores what only looks alike", async () => {
  for (const name of ["iteration-2", "iteration-10", "iteration-010", "iteration-x", "v1"])
    await mkdir(join(root, name));
  await writeFile(join(root, "iteration-11"), "a file");
  expect((await listIterations(root)).map(({ number }) => number)).toEqual([2, 10]);
  expect((await createIteration(suiteFolder(root))).number).toBe(12);
});

it("gives runners that start together one folder each", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => createIteration(suiteFolder(root))));
  expect(made.map(({ number }) => number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it("finds the newest again where its runner was killed before it began", async () => {
  const suite = suiteFolder(join(root, "cards"));
  expect(await unbegunIteration(suite.root)).toBeNull();
  const made = await createIteration(suite);
  await writeFile(made.folder.journal, "");
  expect((await unbegunIteration(suite.root))?.number).toBe(made.number);
  const held = await acquireLock(made.folder.lock);
  expect(await unbegunIteration(suite.root)).toBeNull();
  if (held.acquired) await held.lock.release();
  await writeFile(made.folder.manifest, "{}");
  expect(await unbegunIteration(suite.root)).toBeNull();
});

it("says what to do when the folder cannot be made", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  const failure = createIteration(suiteFolder(join(file, "cards")));
  await expect(failure).rejects.toThrow(UserError);
  await expect(failure).rejects.toMatchObject({
    code: "store/unwritable",
    hint: expect.stringContaining("--workspace"),
  });
});
