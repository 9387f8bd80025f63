import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgramRun, RunProgram } from "../../grade/judges/cli/program.ts";
import type { Ending } from "../../run/process/command.ts";
import { supervise } from "../../run/process/supervise.ts";
import { inTempFolder } from "../run-folder.ts";

/** In a directory that is new, empty and gone afterwards, and HOME where the call names none; the supervisor sees to it that no process stays. */
export const runProgram: RunProgram = async (call, signal) =>
  inTempFolder(async (folder) => {
    const [cwd, stdoutFile, stderrFile] = [join(folder, "judge"), join(folder, "out"), join(folder, "err")];
    await mkdir(cwd);
    const supervised = await supervise(
      { program: call.program, args: call.args, cwd, env: { HOME: cwd, ...call.env }, stdin: call.stdin },
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
  });

function endingOf(ending: Ending): ProgramRun["ending"] {
  switch (ending.kind) {
    case "exited":
      return { kind: "exited", code: ending.code };
    case "over-limit":
    case "disk-full":
      return { kind: "exited", code: null };
    case "not-started":
      return ending;
    case "timed-out":
    case "stopped":
    case "aborted":
      return { kind: "timed-out" };
  }
}
