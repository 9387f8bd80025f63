import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { ASSAY } from "./timing.js";

const ROUNDS = 11;

export default {
  what: "the whole command for one case whose agent ends at once, children and sandbox included",
  measure() {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-one-"));
    try {
      makeProject(folder);
      const node = process.execPath;
      const command = [
        node,
        ASSAY,
        "run",
        "skill",
        "--harness",
        "command",
        "--command",
        "true",
        "--no-grade",
      ];
      const runs = rounds(() => seconds(command, folder));
      const bare = rounds(() => seconds([node, "-e", "0"], folder));
      return [
        {
          label: "wall time, median",
          value: `${median(runs).toFixed(3)} s, best ${runs[0].toFixed(3)} s (bare Node ${median(bare).toFixed(3)} s)`,
          bar: "<= 0.30 s on an idle machine",
          met: median(runs) <= 0.3,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const rounds = (measure) => Array.from({ length: ROUNDS }, measure).sort((a, b) => a - b);
const median = (values) => values[Math.floor(values.length / 2)];

function seconds([program, ...args], cwd) {
  const started = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

function makeProject(folder) {
  mkdirSync(join(folder, "skill/evals"), { recursive: true });
  writeFileSync(join(folder, "assay.config.json"), "{}");
  writeFileSync(
    join(folder, "skill/SKILL.md"),
    "---\nname: one\ndescription: Does nothing.\n---\n\nNothing.\n",
  );
  const evals = [{ id: 1, prompt: "Do it", expectations: ["It is done"] }];
  writeFileSync(join(folder, "skill/evals/evals.json"), JSON.stringify({ skill_name: "one", evals }));
}
