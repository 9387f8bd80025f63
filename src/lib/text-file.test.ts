import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTextFile } from "./text-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "text-"));
  await writeFile(join(folder, "bom"), Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9]));
  await writeFile(join(folder, "utf16"), Buffer.from([0xff, 0xfe, 0x61, 0x00]));
  await writeFile(join(folder, "utf16-le"), Buffer.from("{}", "utf16le"));
  await writeFile(join(folder, "utf16-be"), Buffer.from([0x00, 0x7b, 0x00, 0x7d]));
  await writeFile(join(folder, "latin1"), Buffer.from([0x61, 0xe9, 0x62]));
  await writeFile(join(folder, "large"), "x".repeat(101));
  await symlink("loop", join(folder, "loop"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("reads UTF-8 and drops the byte order mark", async () => {
  expect(await readTextFile(join(folder, "bom"), 100)).toEqual({ ok: true, text: "aé" });
});

it.each([
  ["utf16", "utf-16", /UTF-16/],
  ["utf16-le", "utf-16", /UTF-16/],
  ["utf16-be", "utf-16", /UTF-16/],
  ["latin1", "not-utf-8", /not valid UTF-8/],
  ["large", "too-large", /at most/],
  ["gone", "unreadable", /no such file/],
  ["loop", "unreadable", /loop/],
  [".", "unreadable", /directory/],
])("refuses %s with the true reason", async (name, code, message) => {
  const file = await readTextFile(join(folder, name), 100);
  expect(file).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
});
