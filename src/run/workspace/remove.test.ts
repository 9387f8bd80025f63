import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asPlainUser } from "../../../test/support/plain-user.ts";
import { removeTree } from "./remove.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "remove-"));
  chmodSync(root, 0o777);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("removeTree", () => {
  it.each([0o000, 0o444, 0o555, 0o111, 0o200])("opens up directories of mode %o", async (mode) => {
    const tree = join(root, "tree");
    const left = await asPlainUser(async () => {
      mkdirSync(join(tree, "locked/inner"), { recursive: true });
      writeFileSync(join(tree, "locked/inner/f"), "x");
      writeFileSync(join(tree, "locked/f"), "x");
      chmodSync(join(tree, "locked/inner"), mode);
      chmodSync(join(tree, "locked"), mode);
      chmodSync(tree, mode);
      return removeTree(tree);
    });
    expect(left).toBeNull();
    expect(existsSync(tree)).toBe(false);
  });

  it("removes links without following them, and names that are no UTF-8", async () => {
    mkdirSync(join(root, "kept"));
    writeFileSync(join(root, "kept/f"), "x");
    mkdirSync(join(root, "tree"));
    symlinkSync("../kept", join(root, "tree/link"));
    symlinkSync(".", join(root, "tree/loop"));
    writeFileSync(Buffer.concat([Buffer.from(join(root, "tree/bad")), Buffer.from([0xff, 0xfe])]), "x");
    expect(await removeTree(join(root, "tree"))).toBeNull();
    expect(existsSync(join(root, "tree"))).toBe(false);
    expect(existsSync(join(root, "kept/f"))).toBe(true);
  });

  it("takes what is not there for removed", async () => {
    expect(await removeTree(join(root, "nowhere"))).toBeNull();
  });

  it.runIf(process.getuid?.() === 0)("says what would not go", async () => {
    mkdirSync(join(root, "tree"), { mode: 0o755 });
    writeFileSync(join(root, "tree/f"), "x");
    expect(await asPlainUser(() => removeTree(join(root, "tree")))).toMatch(/EPERM|EACCES/);
    expect(existsSync(join(root, "tree/f"))).toBe(true);
  });
});
