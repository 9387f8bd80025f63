import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { processesOf } from "../faults/strays.ts";

const PREFIX = "suite-";

/**
 * A temporary folder for the whole suite: what its tests leave there and the processes that still run there are told at the
 * end and, where they are Assay's, fail it; and the folder goes with everything in it, also what workers that were ended had no time to remove.
 */
export function setup(): () => Promise<void> {
  const before = process.env["TMPDIR"];
  // Projects that run together share one.
  if (before !== undefined && basename(before).startsWith(PREFIX)) return async () => {};
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // As the system's: tests become plain users in it.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return async () => {
    const processes = (await processesOf(folder)).filter((one) => !one.includes("/vitest/"));
    const strays = [...readdirSync(folder).filter(isStray), ...processes];
    if (strays.length > 0) console.error(`left behind by tests:\n  ${strays.toSorted().join("\n  ")}`);
    // What Assay itself left is a fault of Assay; a test that timed out may leave what is its own.
    if (strays.some(isOfAssay)) process.exitCode = 1;
    rmSync(folder, { recursive: true, force: true });
  };
}

function isOfAssay(stray: string): boolean {
  return /^assay-\w+$|^assay-(?:[a-z]+-)?[\da-f]{8}(?:\.removed)?$|^process |\.sock$|\.tmp$/.test(stray);
}

/** Vitest ends its workers before they can remove what each made once; `assay demo` keeps its results and says where. */
function isStray(name: string): boolean {
  return !/^homes-|^built-|^assay-demo-|^[\w-]{21}$/.test(name);
}
