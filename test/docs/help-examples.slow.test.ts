import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { docsShell, type DocsShell } from "../support/docs/shell.ts";
import { assay } from "../support/command-line.ts";
import { ROOT } from "../support/docs/blocks.ts";

let shell: DocsShell;
beforeAll(async () => {
  shell = await docsShell();
  const said = await shell.run(shell.history, shell.project.root);
  if (said !== "") throw new Error(said);
}, 300_000);
afterAll(() => shell[Symbol.asyncDispose]());

describe.each(COMMANDS.map(({ name }) => name))("assay %s --help", (name) => {
  it("has examples that run as printed, or say what they need", { timeout: 300_000 }, async () => {
    const { out } = await assay([name, "--help"], { cwd: ROOT });
    const examples =
      (out.split("\nExamples:\n")[1] ?? "").match(/^  (?:assay|[A-Z_]+=\S+) (?:.*\\\n)*.*$/gm) ?? [];
    const copy = join(await mkdtemp(join(tmpdir(), "example-")), "project");
    await cp(shell.project.root, copy, { recursive: true, verbatimSymlinks: true });
    const failures: string[] = [];
    for (const example of examples.filter((line) => !line.includes("# needs "))) {
      const before = name === "init" ? "rm -rf skills/*/evals skills/*/*.eval.json\n" : "";
      failures.push(await shell.run(`${before}${example.trim()}`, copy));
    }
    await rm(copy, { recursive: true, force: true });
    expect(failures.filter((said) => said !== "")).toEqual([]);
    expect(examples.length > 0 || name === "status").toBe(true);
  });
});
