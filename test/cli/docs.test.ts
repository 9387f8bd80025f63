import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { EXAMPLES } from "../support/examples.ts";

const PAGES = ["check.md", "formats.md"];

describe.each(PAGES)("docs/%s", (page) => {
  it("shows commands that work, in this order, beside the examples", async () => {
    const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
    const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
    const lines = blocks.flatMap((block) => block.split("\n")).filter((line) => line.startsWith("assay "));
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const cwd = await realpath(await mkdtemp(join(tmpdir(), "docs-")));
    await cp(EXAMPLES, join(cwd, "examples"), { recursive: true });
    for (const line of lines) {
      const [, ...args] = line.replace(/ *#.*| > .*/, "").split(" ");
      const { exitCode, out, err } = await assay(args, { cwd });
      const failed = exitCode === 0 ? null : `${out}${err}`;
      expect({ line, failed }).toEqual({ line, failed: null });
    }
    await rm(cwd, { recursive: true });
  });
});
