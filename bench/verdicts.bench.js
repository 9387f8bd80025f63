import { spawnSync } from "node:child_process";
import { bundle } from "./bundle.js";

/** Cases, checks of each, runs of each in each arm. */
const SIZES = [
  { name: "one run per arm", size: [5, 3, 1] },
  { name: "1,000 checks in one case", size: [1, 1_000, 3] },
  { name: "10,000 cases", size: [10_000, 1, 1] },
  { name: "10,000 cases, three runs per arm", size: [10_000, 1, 3] },
];

/** Best of a few: what else the machine does is not the answer's doing. */
const ROUNDS = 3;

export default {
  what: "a benchmark's answer with its texts and files, at sizes that nobody should ask for",
  async measure() {
    const file = await bundle("summary-of-size.ts");
    return SIZES.map(({ name, size }) => {
      const rounds = Array.from({ length: ROUNDS }, () => answer(file, size));
      const { verdict, seconds, floor } = rounds.toSorted((a, b) => a.seconds - b.seconds)[0];
      const megabytes = Math.min(...rounds.map((round) => round.megabytes));
      return {
        label: name,
        value: `${verdict}, ${seconds.toFixed(2)} s of CPU (parsing the same runs: ${floor.toFixed(2)} s), ${megabytes.toFixed(0)} MB beside the runs themselves`,
        bar: "<= 2 s, or 4 times the parsing where the machine is slow; <= 150 MB",
        met: (seconds <= 2 || seconds <= 4 * floor) && megabytes <= 150,
      };
    });
  },
};

function answer(file, size) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...size.map(String)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
