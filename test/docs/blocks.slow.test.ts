import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES, shellBlocks } from "../support/docs/blocks.ts";
import { docsShell, type DocsShell } from "../support/docs/shell.ts";

let shell: DocsShell;
beforeAll(async () => {
  shell = await docsShell();
}, 120_000);
afterAll(() => shell[Symbol.asyncDispose]());

const RUNNABLE = PAGES.filter((page) => shellBlocks(page).some(({ needs }) => needs === null));

describe.each(RUNNABLE)("%s", (page) => {
  it("has shell blocks that run as printed, one after the other", { timeout: 600_000 }, async () => {
    const blocks = shellBlocks(page).filter(({ needs }) => needs === null);
    const mentions = (word: RegExp) => blocks.some(({ text }) => word.test(text));
    const copy = join(await mkdtemp(join(tmpdir(), "page-")), "project");
    await cp(shell.project.root, copy, { recursive: true, verbatimSymlinks: true });
    if (mentions(/assay init/)) await rm(join(copy, "skills/pdf/evals"), { recursive: true });
    if (!mentions(/pdf-v1/)) await rm(join(copy, "skills/pdf-v1"), { recursive: true });
    const history = mentions(/pdf@|compare 3|assay grade|trend pdf|--from \d/) ? `${shell.history}\n` : "";
    const script = blocks.map(({ line, text }) => `echo "@ ${page}:${line}"\n${text}`).join("\n");
    expect(await shell.run(history + script, copy)).toBe("");
    await rm(copy, { recursive: true });
  });
});
