import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ASSAY } from "./timing.js";

const CONCURRENCY = 8;

export default {
  what: "many small suites in one call: 20 skills x 3 cases of 2 s at concurrency 8, and 24 skills in a project of 10 MB",
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-suites-"));
    try {
      const ideal = Math.ceil((20 * 3) / CONCURRENCY) * 2;
      const slow = await run(makeProject(folder, { skills: 20, megabytes: 0 }), "sleep 2");
      const ratio = slow.seconds / ideal;
      const large = await run(makeProject(folder, { skills: 24, megabytes: 10 }), "true");
      const small = await run(makeProject(folder, { skills: 1, megabytes: 10 }), "true");
      return [
        {
          label: "whole command against ideal",
          value: `${ratio.toFixed(3)} (${slow.seconds.toFixed(1)} s of ${ideal} s)`,
          bar: "<= 1.15",
          met: ratio <= 1.15,
        },
        {
          label: "peak disk of workspaces, 24 skills against 1",
          value: `${mb(large.diskBytes)} against ${mb(small.diskBytes)}`,
          bar: "<= 3x",
          met: large.diskBytes <= 3 * small.diskBytes,
        },
        {
          label: "peak memory, 24 skills against 1",
          value: `${mb(large.memoryBytes)} against ${mb(small.memoryBytes)}`,
          bar: "<= 150 MB",
          met: large.memoryBytes <= 150e6,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** The whole command, with what it takes at most of disk (in its temporary directory) and memory. */
async function run(cwd, agent) {
  const temp = mkdtempSync(join(cwd, "..", "tmp-"));
  const args = [
    "run",
    ".",
    "--harness",
    "command",
    "--command",
    agent,
    "--concurrency",
    String(CONCURRENCY),
    "--no-grade",
  ];
  const started = performance.now();
  const child = spawn(process.execPath, [ASSAY, ...args], {
    cwd,
    env: { ...process.env, TMPDIR: temp },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (data) => (stderr += data));
  let diskBytes = 0;
  let memoryBytes = 0;
  const watch = setInterval(() => {
    diskBytes = Math.max(diskBytes, bytesIn(temp));
    memoryBytes = Math.max(memoryBytes, memoryOf(child.pid));
  }, 100);
  const status = await new Promise((done) => child.on("close", done));
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`assay ${args.join(" ")} ended with ${status}: ${stderr.slice(-800)}`);
  return { seconds, diskBytes, memoryBytes };
}

/** As `du` counts it: a file with several names once. */
function bytesIn(folder, seen = new Set()) {
  let bytes = 0;
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return 0;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += bytesIn(path, seen);
    else {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || seen.has(stats.ino)) continue;
      seen.add(stats.ino);
      bytes += stats.blocks * 512;
    }
  }
  return bytes;
}

function memoryOf(pid) {
  try {
    const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

function makeProject(parent, { skills, megabytes }) {
  const folder = mkdtempSync(join(parent, "project-"));
  writeFileSync(join(folder, "assay.config.json"), "{}");
  mkdirSync(join(folder, "data"));
  for (let i = 0; i < megabytes * 10; i++)
    writeFileSync(join(folder, "data", `part-${i}.bin`), randomBytes(100_000));
  for (let i = 1; i <= skills; i++) {
    const skill = join(folder, "skills", `skill-${i}`);
    mkdirSync(join(skill, "evals"), { recursive: true });
    writeFileSync(
      join(skill, "SKILL.md"),
      `---\nname: skill-${i}\ndescription: Does nothing, number ${i}.\n---\n\nNothing.\n`,
    );
    const evals = [1, 2, 3].map((id) => ({
      id,
      prompt: `Do thing ${id} of ${i}`,
      expectations: ["It is done"],
    }));
    writeFileSync(join(skill, "evals/evals.json"), JSON.stringify({ skill_name: `skill-${i}`, evals }));
  }
  return folder;
}
