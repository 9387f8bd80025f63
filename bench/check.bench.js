import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ASSAY } from "./timing.js";

const FILES = 10_000;

export default {
  what: `assay check over ${FILES} generated specs of 4 KB`,
  measure() {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    try {
      generate(folder);
      const started = performance.now();
      const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", memoryReport(folder), ASSAY, "check", folder], { encoding: "utf8", maxBuffer: 1 << 26 });
      const seconds = (performance.now() - started) / 1000;
      if (status !== 0) throw new Error(`check ended with ${status}: ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`);
      const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
      return [
        { label: "files per second", value: Math.round(FILES / seconds), bar: ">= 400", met: FILES / seconds >= 400 },
        { label: "peak memory", value: `${peak.toFixed(0)} MB`, bar: "< 250 MB", met: peak < 250 },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** A module that prints the process's peak resident memory, in KB, when it ends. */
function memoryReport(folder) {
  const path = join(folder, "peak.mjs");
  writeFileSync(path, 'process.on("exit", () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`));');
  return path;
}

function generate(folder) {
  const criteria = Array.from({ length: 20 }, (_, i) => ({
    id: `criterion_${i}`,
    criterion: `Statement number ${i}: the answer names the place, the price and the opening hours of what it suggests, in words.`,
  }));
  for (let i = 0; i < FILES; i++) {
    const skill = join(folder, `skill-${i}`);
    mkdirSync(skill);
    writeFileSync(join(skill, "SKILL.md"), `---\nname: skill-${i}\ndescription: Does thing number ${i} when asked for it.\n---\n\nDo it.\n`);
    const spec = {
      skill_name: `skill-${i}`,
      test_args: "--count 5",
      assertions: Array.from({ length: 20 }, (_, j) => ({ id: `check_${j}`, type: "contains", needle: `needle ${j}` })),
      grading_criteria: criteria,
    };
    writeFileSync(join(skill, "SKILL.eval.json"), JSON.stringify(spec, null, 1));
  }
}
