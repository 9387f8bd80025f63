import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ASSAY } from "./timing.js";

const CONCURRENCY = 8;

const ROUNDS = 3;
const IDEAL_SECONDS = (200 * 0.2) / CONCURRENCY;

/**
 * Each round on a part of the disk of its own: some file systems pass over every file that was removed nearby in the last
 * minutes, one by one, whenever they make a new one, and what earlier rounds and tests removed is not the runner's doing.
 */
const CACHE = fileURLToPath(new URL("../node_modules/.cache/assay-bench/", import.meta.url));

export default {
  what: "what the runner adds to its agents: 200 of 0.2 s at concurrency 8, and 200 that end at once",
  measure() {
    const folder = mkdtempSync(join(CACHE, "trials-"));
    // What lies in it is spread over the disk, where the file system knows how.
    spawnSync("chattr", ["+T", folder]);
    try {
      const slow = rounds(() => run(folder, "sleep 0.2", 200).seconds / IDEAL_SECONDS);
      const bare = rounds(() => bareLoop() / IDEAL_SECONDS);
      const one = run(folder, "true", 1).cpuSeconds;
      const cpuMs = rounds(() => ((run(folder, "true", 200).cpuSeconds - one) / 199) * 1000);
      const spawnMs = rounds(bareSpawnMs);
      const closed = closedNetworks(folder);
      return [
        {
          label: "makespan against ideal",
          value: `${shown(slow, 3)} (a bare loop of spawns: ${shown(bare, 3)})`,
          bar: "<= 1.05",
          met: median(slow) <= 1.05,
        },
        {
          label: "runner CPU per trial, journal fsync included",
          value: `${shown(cpuMs, 1)} ms (a bare loop of spawns: ${shown(spawnMs, 1)} ms)`,
          bar: "<= 5 ms",
          met: median(cpuMs) <= 5,
        },
        ...closed.flatMap(({ network, slow, cpuMs }) => [
          {
            label: `makespan against ideal, --network ${network}`,
            value: shown(slow, 3),
            bar: "<= 1.05",
            met: median(slow) <= 1.05,
          },
          {
            label: `runner CPU per trial, --network ${network}`,
            value: `${shown(cpuMs, 1)} ms`,
            bar: "<= 5 ms",
            met: median(cpuMs) <= 5,
          },
        ]),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Each in turn, round by round, so that what else the machine does falls on all of them alike. */
function closedNetworks(folder) {
  const all = ["none", "gateway"].map((network) => ({ network, slow: [], cpuMs: [] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { network, slow, cpuMs } of all) {
      const flags = ["--network", network];
      slow.push(run(folder, "sleep 0.2", 200, flags).seconds / IDEAL_SECONDS);
      const [one, many] = [1, 200].map((runs) => run(folder, "true", runs, flags).cpuSeconds);
      cpuMs.push(((many - one) / 199) * 1000);
    }
  }
  for (const { slow, cpuMs } of all) for (const values of [slow, cpuMs]) values.sort((a, b) => a - b);
  return all;
}

const rounds = (measure) => Array.from({ length: ROUNDS }, measure).sort((a, b) => a - b);
const median = (values) => values[Math.floor(values.length / 2)];
const shown = (values, digits) =>
  `${median(values).toFixed(digits)}, of ${values.map((value) => value.toFixed(digits)).join(" ")}`;

function run(folder, agent, runs, flags = []) {
  const cwd = makeProject(folder);
  const args = [
    "run",
    "skill",
    "--harness",
    "command",
    "--command",
    agent,
    "--runs",
    String(runs),
    "--concurrency",
    String(CONCURRENCY),
    "--no-grade",
    ...flags,
  ];
  const { status, stderr } = spawnSync(process.execPath, ["--import", join(cwd, "cpu.mjs"), ASSAY, ...args], {
    cwd,
    env: { ...process.env, TMPDIR: folder },
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`assay ${args.join(" ")} ended with ${status}: ${stderr.slice(-800)}`);
  const events = readFileSync(join(cwd, ".assay/bench/iteration-1/journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const times = (kind) => events.filter((event) => event.kind === kind).map((event) => Date.parse(event.at));
  const finished = times("trial-finished");
  if (finished.length !== runs) throw new Error(`${finished.length} of ${runs} trials finished`);
  return {
    seconds: (Math.max(...finished) - Math.min(...times("trial-started"))) / 1000,
    cpuSeconds: Number(/cpu ([\d.]+)/.exec(stderr)[1]),
  };
}

/** The floor: the same processes with nothing around them. */
function bareLoop() {
  return spawnLoop("sleep", ["0.2"]).seconds;
}

function bareSpawnMs() {
  return (spawnLoop("true", []).cpuSeconds / 200) * 1000;
}

function spawnLoop(program, args) {
  const source = `import { spawn } from "node:child_process";
    let left = 200; const next = () => left-- > 0 ? new Promise((done) => spawn(${JSON.stringify(program)}, ${JSON.stringify(args)}).on("exit", done)).then(next) : undefined;
    const cpu = process.cpuUsage(); const started = performance.now();
    await Promise.all(Array.from({ length: ${CONCURRENCY} }, next));
    const { user, system } = process.cpuUsage(cpu);
    console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 }));`;
  return JSON.parse(
    spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" }).stdout,
  );
}

function makeProject(parent) {
  const folder = mkdtempSync(join(parent, "project-"));
  mkdirSync(join(folder, "skill/evals"), { recursive: true });
  writeFileSync(join(folder, "assay.config.json"), "{}");
  writeFileSync(
    join(folder, "skill/SKILL.md"),
    "---\nname: bench\ndescription: Does nothing.\n---\n\nNothing.\n",
  );
  writeFileSync(
    join(folder, "skill/evals/evals.json"),
    JSON.stringify({ skill_name: "bench", evals: [{ id: 1, prompt: "Wait" }] }),
  );
  writeFileSync(
    join(folder, "cpu.mjs"),
    'process.on("exit", () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); process.stderr.write(`cpu ${(userCPUTime + systemCPUTime) / 1e6}\\n`); });',
  );
  return folder;
}
