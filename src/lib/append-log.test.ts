import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
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

it("refuses appends after it was closed", async () => {
  const log = await openAppendLog(path);
  await log.close();
  await expect(log.append("a\n", { durable: true })).rejects.toThrow(/closed|EBADF/);
});
