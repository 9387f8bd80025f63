import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { watchUse } from "./use.ts";

const HOUR_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;

afterEach(() => vi.useRealTimers());

/** What a watch says of a trial that writes 8 of 4 allowed megabytes, by how far the clock was ahead when it began. */
async function excessOf(aheadMs: number) {
  const path = mkdtempSync(join(tmpdir(), "use-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + aheadMs });
  const limits = { memoryBytes: Infinity, processes: Infinity, diskBytes: 4 * MEGABYTE };
  using watch = watchUse(
    process.pid,
    { ...limits, folders: [{ path, sinceMs: Date.now() - 100 }] },
    () => {},
  );
  vi.useRealTimers();
  writeFileSync(join(path, "big"), randomBytes(8 * MEGABYTE), { flush: true });
  return watch.finalExcess();
}

it.each([
  ["stays as it is", 0],
  ["is set back by an hour", HOUR_MS],
])("what a trial writes is counted where the clock %s", async (_, aheadMs) => {
  expect(await excessOf(aheadMs)).toEqual({ limit: "disk", most: 4 * MEGABYTE });
});
