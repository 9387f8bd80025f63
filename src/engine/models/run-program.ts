import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgramRun, RunProgram } from "../../grade/judges/cli/program.ts";
import type { Ending } from "../../run/process/command.ts";
import { supervise } from "../../run/process/supervise.ts";

/** In a directory that is new, empty and gone afterwards, and HOME where the call names none; the supervisor sees to it that no process stays. */
export const runProgram: RunProgram = async (call, signal) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-judge-"));
  try {
    const [cwd, stdoutFile, stderrFile] = [folder, `${folder}.out`, `${folder}.err`];
    const supervised = await supervise(
      { program: call.program, args: call.args, cwd, env: { HOME: folder, ...call.env }, stdin: call.stdin },
      {
        stdoutFile,
        stderrFile,
        deadlineMs: performance.now() + call.timeoutMs,
        signal,
        watch: () => undefined,
        contained: false,
      },
    );
    signal.throwIfAborted();
    return {
      ending: endingOf(supervised.ending),
      stdout: await readFile(stdoutFile, "utf8"),
      stderr: supervised.stderrTail,
    };
  } finally {
    for (const path of [folder, `${folder}.out`, `${folder}.err`])
      await rm(path, { recursive: true, force: true });
  }
};

function endingOf(ending: Ending): ProgramRun["ending"] {
  switch (ending.kind) {
    case "exited":
      return { kind: "exited", code: ending.code };
    case "not-started":
      return ending;
    case "timed-out":
    case "stopped":
    case "aborted":
      return { kind: "timed-out" };
  }
}
