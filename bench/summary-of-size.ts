// Sums up one benchmark of the given size in a process of its own, and prints what that took.
import { readFileSync } from "node:fs";
import { benchmarkFile } from "../src/report/benchmark/benchmark-file.ts";
import { benchmarkMarkdown } from "../src/report/benchmark/benchmark-markdown.ts";
import { benchmarkLines } from "../src/report/benchmark/benchmark-text.ts";
import { caseTable } from "../src/report/case-table.ts";
import { PLAIN } from "../src/report/page.ts";
import { summarize } from "../src/report/summarize.ts";
import { benchmarkOfSize } from "./sizes.ts";

const [cases = 1, checks = 1, runs = 1] = process.argv.slice(2).map(Number);
const evaluated = benchmarkOfSize({ cases, checks, runs });
const journal = JSON.stringify([...evaluated.runs.values(), ...evaluated.gradings.values()]);
const floor = cpuSeconds(() => JSON.parse(journal));
const held = peakMegabytes();
const from = process.cpuUsage();
const summary = summarize(evaluated, { minPassRate: null, allowMissing: 0 });
const { benchmark } = summary;
if (benchmark === null) throw new Error("there is no benchmark");
caseTable({ evaluated, summary, folder: "/results", runFolders: new Map() }, PLAIN);
benchmarkLines(benchmark, 20);
const evalIds = new Map(evaluated.cases.map(({ id }, at) => [id, at]));
benchmarkMarkdown(benchmarkFile(evaluated, benchmark, { evalIds, evidence: () => "", notes: () => [] }));
const { user, system } = process.cpuUsage(from);
const seconds = (user + system) / 1e6;
console.log(
  JSON.stringify({ verdict: benchmark.verdict, seconds, floor, megabytes: peakMegabytes() - held }),
);

function cpuSeconds(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1e6;
}

/** The most memory this process has held. */
function peakMegabytes(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
