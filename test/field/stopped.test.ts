import { spawn } from "node:child_process";
import { open, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { tempTree } from "../support/temp-tree.ts";
import { PROJECT } from "./cell.ts";

/** Takes minutes to hash, and no room. */
const HUGE_BYTES = 200 * 1024 ** 3;

/** Is said while the eval files are read, right before the project is. */
const NOTED = { skill_name: "greeter", evals: [{ id: 1, prompt: "Greet Ada", colour: "red" }] };

describe("a signal while the project is looked at", () => {
  it("stops the command promptly with 130, and leaves no iteration", { timeout: 60_000 }, async () => {
    await using command = await builtCommand();
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await using project = await tempTree({
        ...PROJECT,
        "skills/greeter/evals/evals.json": JSON.stringify(NOTED),
      });
      // A project in HOME itself would be none.
      await using home = await tempTree();
      await using huge = await open(project.path("huge.bin"), "w");
      await huge.truncate(HUGE_BYTES);
      const words = [
        "run",
        "skills/greeter",
        "--harness",
        "command",
        "--command",
        "true",
        "--sandbox",
        "none",
      ];
      const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home.root };
      const running = spawn(process.execPath, [command.path, ...words], { cwd: project.root, env });
      onTestFinished(() => void running.kill("SIGKILL"));
      let err = "";
      running.stderr.setEncoding("utf8").on("data", (text: string) => {
        const isFirst = err === "";
        err += text;
        if (isFirst) running.kill(signal);
      });
      const ended = await new Promise((resolve) => running.once("close", (...end) => resolve(end)));
      expect([ended, err]).toEqual([[130, null], expect.stringContaining("interrupted")]);
      expect(await readdir(project.path(".assay/greeter")).catch(() => [])).toEqual([]);
    }
  });
});
