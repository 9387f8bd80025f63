import { availableParallelism } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mapConcurrently } from "../../src/lib/concurrent.ts";
import { seededRandom, shuffled } from "../../src/stats/random.ts";
import { builtCommand } from "../support/built-command.ts";
import { type CrashSuite, crashSuite, type Instant, type Resumed } from "./crash-suite.ts";

const SEED = Number(process.env["ASSAY_FAULT_SEED"] ?? 20_261_116);
/** With ASSAY_FAULTS=all the command dies at every write too: more than twice as many instants. */
const IS_WHOLE = process.env["ASSAY_FAULTS"] === "all";
const WRITES = IS_WHOLE ? Infinity : 40;
/** Suites wait for disks and agents more than they work; on a busy machine more of them get more of it. */
const AT_ONCE = (IS_WHOLE ? 4 : 1) * availableParallelism();

let command: Awaited<ReturnType<typeof builtCommand>>;
let suite: CrashSuite;
beforeAll(async () => {
  command = await builtCommand();
  suite = await crashSuite(command.path);
}, 120_000);
afterAll(async () => {
  await suite[Symbol.asyncDispose]();
  await command[Symbol.asyncDispose]();
});

describe("a suite of twenty trials", () => {
  it(
    "that is killed at any fsync, rename, link or write is resumed without damage",
    { timeout: IS_WHOLE ? 6 * 3_600_000 : 900_000 },
    async () => {
      const instants = instantsOf(suite.calls);
      const resumed = await mapConcurrently(instants, AT_ONCE, (instant) => suite.killAndResume(instant));
      console.log(table(resumed));
      expect(resumed.flatMap(damagesOf)).toEqual([]);
      expect(resumed.filter(({ killed }) => !killed).length).toBeLessThan(resumed.length / 10);
    },
  );
});

/** Every call but writes, of which a sample must do; half a write is left of each. */
function instantsOf(calls: Readonly<Record<string, number>>): readonly Instant[] {
  return Object.entries(calls).flatMap(([call, count]) => {
    const all = Array.from({ length: count }, (_, index) => ({ call, at: index + 1 }));
    return call === "write" ? shuffled(all, seededRandom(SEED)).slice(0, WRITES) : all;
  });
}

function damagesOf({ instant: { call, at }, damage }: Resumed): readonly string[] {
  return Object.entries(damage).flatMap(([kind, list]) =>
    list.map((one: string) => `${call} ${at}: ${kind}: ${one}`),
  );
}

function table(resumed: readonly Resumed[]): string {
  const calls = [...new Set(resumed.map(({ instant }) => instant.call))].toSorted();
  const rows = [...calls, "all"].map((call) => {
    const those = resumed.filter(({ instant }) => call === "all" || instant.call === call);
    const sum = (kind: keyof Resumed["damage"]) =>
      those.reduce((total, { damage }) => total + damage[kind].length, 0);
    const killed = those.filter((one) => one.killed).length;
    return [call, those.length, killed, sum("lost"), sum("repeated"), sum("torn"), sum("litter")];
  });
  const head = ["killed at", "instants", "suites resumed", "lost", "repeated", "torn", "litter"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
