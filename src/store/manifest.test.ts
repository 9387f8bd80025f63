import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { secretMask } from "../lib/secret-mask.ts";
import { sampleIteration } from "./fixtures/samples.ts";
import { readManifest, writeManifest } from "./manifest.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "manifest-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("reads back what it wrote, without secrets", async () => {
  const path = join(folder, "run.json");
  const iteration = sampleIteration({ options: { header: "canary-7f3a9c21e5", runs: 3 } });
  await writeManifest(path, iteration, secretMask(["canary-7f3a9c21e5"]));
  expect(await readFile(path, "utf8")).not.toContain("canary");
  expect(await readManifest(path)).toEqual({ ...iteration, options: { header: "[masked]", runs: 3 } });
});

it("is null where there is none", async () => {
  expect(await readManifest(join(folder, "none.json"))).toBeNull();
});

it.each([
  ["{", "store/bad-manifest"],
  ["null", "store/bad-manifest"],
  ['{"schema":"1"}', "store/bad-manifest"],
  ['{"schema":2}', "store/newer"],
])("refuses %s and says what to do", async (text, code) => {
  const path = join(folder, "bad.json");
  await writeFile(path, text);
  await expect(readManifest(path)).rejects.toMatchObject({
    name: "UserError",
    code,
    hint: expect.any(String),
  });
});
