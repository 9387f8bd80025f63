import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { environment } from "../support/run-node.ts";

/** `assay view` as a process of its own, once it listens. */
export async function startedViewer(
  command: string,
  cwd: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [command, "view", "--no-open"], {
    cwd,
    env: environment(cwd),
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) return { child, url: line };
  throw new Error("the viewer ended before it listened");
}
