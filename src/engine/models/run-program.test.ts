import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { runProgram } from "./run-program.ts";

const SCRIPT = `pwd; echo "home $HOME"; ls -A | wc -l; test -S ../owner.sock && echo owned; cat`;

it("gives the program an empty home that is gone afterwards, in a folder that the next run sweeps if this one is killed", async () => {
  const { ending, stdout } = await runProgram(
    { program: "/bin/sh", args: ["-c", SCRIPT], env: {}, stdin: "the question", timeoutMs: 60_000 },
    new AbortController().signal,
  );
  const [cwd = "", home, files, ...rest] = stdout.split("\n");
  expect(ending).toEqual({ kind: "exited", code: 0 });
  expect({ home, files: files?.trim(), rest }).toEqual({
    home: `home ${cwd}`,
    files: "0",
    rest: ["owned", "the question"],
  });
  expect(existsSync(cwd)).toBe(false);
});
