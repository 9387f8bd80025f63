import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mounted } from "../../test/support/mounted.ts";
import { openAppendLog } from "./append-log.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-"));
  path = join(folder, "log.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("keeps the order in which lines were handed over, whatever their durability", async () => {
  const log = await openAppendLog(path);
  const lines = Array.from({ length: 200 }, (_, i) => `${i}\n`);
  await Promise.all(lines.map((line, i) => log.append(line, { durable: i % 7 === 0 })));
  await log.close();
  expect(await readFile(path, "utf8")).toBe(lines.join(""));
});

it("waits on close for what was appended", async () => {
  const log = await openAppendLog(path);
  void log.append("a\n", { durable: true });
  void log.append("b\n", { durable: false });
  await log.close();
  expect(await readFile(path, "utf8")).toBe("a\nb\n");
});

it.each([
  ["a\nb\n", "a\nb\n"],
  ["a\nb", "a\n"],
  ["torn", ""],
  ["", ""],
  [`a\n${"x".repeat(200_000)}`, "a\n"],
  [`${"x".repeat(65_535)}\ntorn`, `${"x".repeat(65_535)}\n`],
  [`${"x".repeat(65_536)}\n`, `${"x".repeat(65_536)}\n`],
  ["a\n\0\0\0\0", "a\n"],
])("cuts off an unfinished last line %#", async (before, kept) => {
  await writeFile(path, before);
  const log = await openAppendLog(path);
  await log.append("next\n", { durable: true });
  await log.close();
  expect(await readFile(path, "utf8")).toBe(`${kept}next\n`);
});

it("only ever appends: what another added meanwhile stays", async () => {
  const log = await openAppendLog(path);
  await log.append("a\n", { durable: true });
  await appendFile(path, "other\n");
  await log.append("b\n", { durable: true });
  await log.close();
  expect(await readFile(path, "utf8")).toBe("a\nother\nb\n");
});

it("says why an append failed, not why it could not be undone, and takes no more", async ({ skip }) => {
  if (!existsSync("/dev/full")) skip("there is no /dev/full here");
  const log = await openAppendLog("/dev/full");
  await expect(log.append("a\n", { durable: true })).rejects.toThrow("ENOSPC");
  await expect(log.append("b\n", { durable: true })).rejects.toThrow("EINVAL");
  await log.close();
});

it("takes back what only half arrived, and goes on", async ({ skip }) => {
  using disk = mounted("size=64k") ?? skip("a small file system cannot be mounted here");
  const there = join(disk.root, "log.jsonl");
  const log = await openAppendLog(there);
  await log.append("a\n", { durable: true });
  await expect(log.append(`${"x".repeat(200_000)}\n`, { durable: true })).rejects.toThrow("ENOSPC");
  expect(await readFile(there, "utf8")).toBe("a\n");
  await log.append("b\n", { durable: true });
  await log.close();
  expect(await readFile(there, "utf8")).toBe("a\nb\n");
});

it("refuses appends after it was closed", async () => {
  const log = await openAppendLog(path);
  await log.close();
  await expect(log.append("a\n", { durable: true })).rejects.toThrow(/closed|EBADF/);
});
