import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { outputChars } from "./output-chars.ts";

it("outputChars counts code points of text, nothing of binaries, and needs no folder", async () => {
  const root = await mkdtemp(join(tmpdir(), "chars-"));
  try {
    await writeFile(join(root, "a.txt"), "é😀x");
    await mkdir(join(root, "sub"));
    await writeFile(join(root, "sub", "b.txt"), "é".repeat(70_000));
    await writeFile(join(root, "own.json"), "not counted");
    await writeFile(join(root, "nul.bin"), Buffer.from([65, 0, 66]));
    await writeFile(join(root, "latin1.txt"), Buffer.from([0xe9, 0x20]));
    expect(await outputChars(root, [join(root, "own.json")])).toBe(70_003);
    expect(await outputChars(join(root, "gone"), [])).toBe(0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
