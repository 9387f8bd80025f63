import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MEGABYTES = 100;
const CHECKS = ["contains", "not_contains", "ignoring case", "lengths", "ends"];

export default {
  what: `literal checks on an output of ${MEGABYTES} MB, all of them read to the end`,
  measure() {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    try {
      const path = join(folder, "output.txt");
      generate(path);
      const worker = fileURLToPath(new URL("grade-literal/grade.js", import.meta.url));
      return CHECKS.flatMap((name) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, [worker, path, name], {
          encoding: "utf8",
        });
        if (status !== 0) throw new Error(`grading ended with ${status}: ${stderr}`);
        const { seconds, peakMegabytes } = JSON.parse(stdout);
        const speed = MEGABYTES / seconds;
        return [
          {
            label: `${name}, MB per processor second`,
            value: Math.round(speed),
            bar: ">= 100",
            met: speed >= 100,
          },
          {
            label: `${name}, peak memory`,
            value: `${Math.round(peakMegabytes)} MB`,
            bar: "<= 150 MB",
            met: peakMegabytes <= 150,
          },
        ];
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Lines of plain and of accented text, so that no check sees ASCII alone. */
function generate(path) {
  const line = "The quick brown fox jumps over the lazy dog; le cœur déçu mais l'âme plutôt naïve.\n";
  const block = Buffer.from(line.repeat(Math.ceil((1 << 20) / Buffer.byteLength(line)))).subarray(0, 1 << 20);
  const file = openSync(path, "w");
  for (let written = 0; written < MEGABYTES; written++) writeSync(file, block);
  closeSync(file);
}
