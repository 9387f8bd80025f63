import type { Attack } from "./attack.ts";

/** Small, so that this machine does not notice. Each hog takes little more, in case nobody stops it. */
export const LIMITS = "memory=200MB,processes=150,disk=64MB,output=512KB";

const ENDED = "the trial is ended at the limit and left out";

export const HOGS: readonly Attack[] = [
  {
    name: "memory-hog",
    tries: "take all memory",
    script: `{ head -c 400000000 /dev/zero; sleep 8; } | tail | sleep 8; echo GOT`,
    stoppedBy: ENDED,
    reported: "over-limit: it was stopped because it used more than 200 MB of memory",
  },
  {
    name: "fork-bomb",
    tries: "start processes without end",
    // Where the kernel holds the number, nothing more can be started; the shell itself still can become a program.
    script: `(i=0; while [ $i -lt 300 ]; do sleep 8 & i=$((i+1)); done; sleep 8; echo GOT); exec sleep 8`,
    stoppedBy: ENDED,
    reported: "over-limit: it was stopped because it used more than 150 processes and threads",
  },
  {
    name: "disk-filler",
    tries: "fill the disk",
    script: `for i in 1 2 3 4 5 6 7 8 9 10; do head -c 20000000 /dev/zero > fill$i; done; sleep 8; echo GOT`,
    stoppedBy: ENDED,
    reported: "over-limit: it was stopped because it used more than 64 MB of disk",
  },
  {
    name: "output-flood",
    tries: "print without end",
    script: `yes flood | head -c 2000000`,
    stoppedBy: ENDED,
    reported: "over-limit: it was stopped because it used more than 512 KB of output",
  },
];
