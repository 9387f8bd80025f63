import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { systemProgram } from "./namespace.ts";
import { TRIAL_MARK } from "./stop.ts";

/**
 * Ends a program that nothing contains as soon as its runner is gone, however that came about: a second Ctrl-C, a kill, a
 * crash. Its group is ended, and everything that carries its mark. To be disposed of once the program has ended.
 */
export function watchOver(group: number, mark: string | undefined): Disposable {
  const sh = systemProgram("sh") ?? "/bin/sh";
  const marked = mark === undefined ? "" : `${TRIAL_MARK}=${mark}`;
  const child = spawn(sh, ["-c", WATCH, "sh", String(group), marked], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.unref();
  (child.stdin as Socket).unref();
  return { [Symbol.dispose]: () => void child.stdin.end(DONE) };
}

const DONE = "done\n";

/** Its standard input ends with the runner; what the runner says before means that there is nothing left to do. */
const WATCH = `trap '' HUP INT TERM
read -r word && exit
for round in 1 2 3 4 5; do
  kill -KILL -- "-$1"
  test -n "$2" || exit
  for found in $(grep -lzsxF -- "$2" /proc/[0-9]*/environ); do
    pid=\${found#/proc/}
    kill -KILL "\${pid%/environ}"
  done
  sleep 0.1
done 2>/dev/null`;
