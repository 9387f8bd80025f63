import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ASSAY } from "./timing.js";

const CONCURRENCY = 8;

export default {
  what: "what the runner adds to its agents: 200 of 0.2 s at concurrency 8, and 200 that end at once",
  measure() {
    const project = makeProject();
    try {
      const slow = run(project, "sleep 0.2", 200);
      const instant = run(project, "true", 200);
      const one = run(project, "true", 1);
      const ideal = (200 * 0.2) / CONCURRENCY;
      const bare = bareLoop();
      const cpuMs = ((instant.cpuSeconds - one.cpuSeconds) / 199) * 1000;
      return [
        {
          label: "makespan against ideal",
          value: `${(slow.seconds / ideal).toFixed(3)} (${slow.seconds.toFixed(2)} s; a bare loop of spawns: ${(bare / ideal).toFixed(3)})`,
          bar: "<= 1.05",
          met: slow.seconds / ideal <= 1.05,
        },
        {
          label: "runner CPU per trial, journal fsync included",
          value: `${cpuMs.toFixed(1)} ms`,
          bar: "<= 5 ms",
          met: cpuMs <= 5,
        },
      ];
    } finally {
      rmSync(project, { recursive: true });
    }
  },
};

function run(cwd, agent, runs) {
  rmSync(join(cwd, ".assay"), { recursive: true, force: true });
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
  ];
  const { status, stderr } = spawnSync(process.execPath, ["--import", join(cwd, "cpu.mjs"), ASSAY, ...args], {
    cwd,
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
  const source = `import { spawn } from "node:child_process";
    let left = 200; const next = () => left-- > 0 ? new Promise((done) => spawn("sleep", ["0.2"]).on("exit", done)).then(next) : undefined;
    const started = performance.now(); await Promise.all(Array.from({ length: ${CONCURRENCY} }, next)); console.log((performance.now() - started) / 1000);`;
  return Number(
    spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" }).stdout,
  );
}

function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
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
