import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { CI_LANES, type CiLane, type CiResult, type CiVerdict } from "../../domain/ci.ts";
import { listAt, type Loose, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";

/** A larger file is not ours. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ENTRIES = 200;
const MOST_TEXT = 2000;

/**
 * result.json of somebody who may not be trusted: what is odd reads as empty, what is long is cut. Null where there is none, or it is
 * nothing of ours.
 */
export async function readResult(path: string): Promise<CiResult | null> {
  const value = await readBounded(path);
  if (value === null || value["schema"] !== 1) return null;
  const verdict = verdictAt(value, "verdict");
  if (verdict === "skipped") return null;
  return {
    schema: 1,
    title: words(value, "title"),
    verdict,
    required: value["required"] === "better" ? "better" : "not-worse",
    base: textOrNull(value, "base"),
    head: textOrNull(value, "head"),
    lanes: entries(value, "lanes").map((one) => ({
      lane: laneAt(one),
      status: verdictAt(one, "status"),
      detail: words(one, "detail"),
    })),
    skills: entries(value, "skills").map((one) => ({
      suite: words(one, "suite"),
      lane: laneAt(one),
      harness: words(one, "harness"),
      model: textOrNull(one, "model")?.slice(0, MOST_TEXT) ?? null,
      verdict: decided(verdictAt(one, "verdict")),
      finding: words(one, "finding"),
      decision: words(one, "decision"),
      answer: words(one, "answer"),
      cases: entries(one, "cases").map((row) => ({
        name: words(row, "name"),
        before: numberOrNull(row, "before"),
        now: numberOrNull(row, "now"),
        runs: numberOrNull(row, "runs") ?? 0,
      })),
      flips: entries(one, "flips").map((row) => ({
        caseId: words(row, "caseId"),
        check: words(row, "check"),
        change: changeAt(row),
        before: words(row, "before"),
        now: words(row, "now"),
        evidence: words(row, "evidence"),
        run: words(row, "run"),
      })),
      moreFlips: numberOrNull(one, "moreFlips") ?? 0,
      costUsd: numberOrNull(one, "costUsd"),
    })),
    notes: listAt(value, "notes")
      .slice(0, MOST_ENTRIES)
      .map((note) => textAt(note).slice(0, MOST_TEXT)),
    costUsd: numberOrNull(value, "costUsd"),
  };
}

async function readBounded(path: string): Promise<Loose | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = await file.stat();
    if (size > MOST_BYTES) return null;
    const value: unknown = JSON.parse(await file.readFile("utf8"));
    return objectAt(value);
  } catch {
    return null;
  }
}

function entries(value: Loose, key: string): readonly Loose[] {
  return listAt(value, key)
    .slice(0, MOST_ENTRIES)
    .map((one) => objectAt(one));
}

function words(value: Loose, key: string): string {
  return textAt(value, key).slice(0, MOST_TEXT);
}

function laneAt(value: Loose): CiLane {
  return CI_LANES.find((lane) => lane === value["lane"]) ?? "check";
}

/** What cannot be read is no pass. */
function verdictAt(value: Loose, key: string): CiVerdict | "skipped" {
  const known = ["passed", "failed", "skipped"] as const;
  return known.find((one) => one === value[key]) ?? "unfinished";
}

function decided(verdict: CiVerdict | "skipped"): CiVerdict {
  return verdict === "skipped" ? "unfinished" : verdict;
}

function changeAt(value: Loose): "regressed" | "fixed" | "moved" {
  const known = ["regressed", "fixed"] as const;
  return known.find((one) => one === value["change"]) ?? "moved";
}
