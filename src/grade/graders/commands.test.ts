import { expect, it } from "vitest";
import type { CommandEnd } from "../../domain/run.ts";
import { verdictOn } from "../fixtures/decide.ts";

const COMMAND = "test -f report.md";
const ended = (end: CommandEnd["end"], output = ""): CommandEnd => ({ command: COMMAND, end, output });

it.each<[string, readonly CommandEnd[] | undefined, string, string]>([
  ["exit code 0", [ended({ status: "exited", code: 0 })], "passed", "the command succeeded"],
  [
    "exit code 2",
    [ended({ status: "exited", code: 2 }, "no such file")],
    "failed",
    "the command failed: no such file",
  ],
  ["time", [ended({ status: "timed-out", afterSeconds: 60 })], "failed", "the command took too long"],
  ["a broken start", [ended({ status: "broken", reason: "no bash here" })], "unscored", "no bash here"],
  ["another command", [{ ...ended({ status: "exited", code: 0 }), command: "true" }], "unscored", "not run"],
  ["an older run", undefined, "unscored", "not run"],
])("decides by %s", async (_, commands, status, reason) => {
  const verdict = await verdictOn(
    { kind: "shell", command: COMMAND },
    { run: commands === undefined ? {} : { commands } },
  );
  expect(verdict.status).toBe(status);
  expect(verdict.reason).toContain(reason);
});
