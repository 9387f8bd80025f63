import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSpecValue } from "./fixtures/load-text.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "clauditor-inputs-"));
  await mkdir(join(root, "specs/data"), { recursive: true });
  await mkdir(join(root, "specs/more"));
  await writeFile(join(root, "specs/data/sales.csv"), "a");
  await writeFile(join(root, "specs/more/sales.csv"), "b");
  await writeFile(join(root, "secret.txt"), "s");
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The staged files, or what was said. */
async function staged(spec: Record<string, unknown>): Promise<unknown> {
  const { file, lines } = await loadSpecValue(spec, { path: join(root, "specs/x.eval.json") });
  if (file === null) return lines.map((line) => line.replace(/^[\d:]+ error clauditor\//, ""));
  return file.cases[0]?.files.map((each) =>
    each.kind === "path" ? [each.declared, each.source?.slice(root.length), each.target] : each,
  );
}

describe("input_files", () => {
  it("are staged by base name from beside the eval file", async () => {
    expect(await staged({ input_files: ["data/sales.csv"] })).toEqual([
      ["data/sales.csv", "/specs/data/sales.csv", "sales.csv"],
    ]);
  });

  it("may have a name that begins with two dots", async () => {
    await writeFile(join(root, "specs/..odd.csv"), "a");
    expect(await staged({ input_files: ["..odd.csv"] })).toEqual([
      ["..odd.csv", "/specs/..odd.csv", "..odd.csv"],
    ]);
  });

  it("may pass through a parent that stays inside", async () => {
    expect(await staged({ input_files: ["./data/../data//sales.csv"] })).toEqual([
      ["./data/../data//sales.csv", "/specs/data/sales.csv", "sales.csv"],
    ]);
  });

  it("may be a symlink inside the directory, and then have its target's name", async () => {
    await symlink("data/sales.csv", join(root, "specs/link.csv"));
    expect(await staged({ input_files: ["link.csv"] })).toEqual([
      ["link.csv", "/specs/data/sales.csv", "sales.csv"],
    ]);
  });

  it("may lie below an eval directory that is itself reached by a symlink", async () => {
    await symlink("specs", join(root, "linked"));
    const { file } = await loadSpecValue(
      { input_files: ["data/sales.csv"] },
      { path: join(root, "linked/x.eval.json") },
    );
    expect(file?.cases[0]?.files).toMatchObject([{ target: "sales.csv" }]);
  });

  it.each([
    ["/etc/hostname", 'bad-input-file: input_files[0] is absolute: "/etc/hostname"'],
    ["C:\\a.csv", String.raw`bad-input-file: input_files[0] is absolute: "C:\\a.csv"`],
    ["~/a.csv", 'bad-input-file: input_files[0] starts in a home directory: "~/a.csv"'],
    ["../secret.txt", 'bad-input-file: input_files[0] leaves its root by "..": "../secret.txt"'],
    [
      "data/../../secret.txt",
      'bad-input-file: input_files[0] leaves its root by "..": "data/../../secret.txt"',
    ],
    ["data/sale.csv", 'bad-input-file: input_files[0] does not exist beside the eval file: "data/sale.csv"'],
    [
      "data/sales.csv/x",
      'bad-input-file: input_files[0] does not exist beside the eval file: "data/sales.csv/x"',
    ],
    ["data", 'bad-input-file: input_files[0] is not a file: "data"'],
    ["a\0b", String.raw`bad-input-file: input_files[0] holds a NUL character: "a\u0000b"`],
  ])("may not be %j", async (declared, problem) => {
    expect(await staged({ input_files: [declared] })).toEqual([problem]);
  });

  it("may not lead out by a symlink", async () => {
    await symlink("../secret.txt", join(root, "specs/out.txt"));
    expect(await staged({ input_files: ["out.txt"] })).toEqual([
      'bad-input-file: input_files[0] is a symlink out of the eval file\'s directory: "out.txt"',
    ]);
  });

  it("may not be a loop of symlinks", async () => {
    await symlink("b", join(root, "specs/a"));
    await symlink("a", join(root, "specs/b"));
    expect(await staged({ input_files: ["a"] })).toEqual([
      'bad-input-file: input_files[0] is a symlink loop: "a"',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)("say when a directory may not be entered", async () => {
    await chmod(join(root, "specs/more"), 0);
    expect(await staged({ input_files: ["more/sales.csv"] })).toEqual([
      'bad-input-file: input_files[0] cannot be read: permission denied: "more/sales.csv"',
    ]);
    await chmod(join(root, "specs/more"), 0o700);
  });

  it("may not share a base name", async () => {
    expect(await staged({ input_files: ["data/sales.csv", "more/sales.csv"] })).toEqual([
      'input-collision: input_files[1] and input_files[0] are both staged as "sales.csv" (files are staged by base name; rename one)',
    ]);
  });

  it.each([
    [{ output_files: ["*.md", "sales.csv"] }, "output_files[1]"],
    [{ output_files: ["out/sales.csv"] }, "output_files[0]"],
  ])("may not be taken for an output: %j", async (outputs, place) => {
    expect(await staged({ input_files: ["data/sales.csv"], ...outputs })).toEqual([
      `output-collision: ${place} has the same base name as input_files[0]: "sales.csv" (capture it under another name, or as output_file)`,
    ]);
  });

  it.each(["sales.csv", "out/sales.csv"])(
    "may be the one output_file, changed in place: %s",
    async (file) => {
      expect(await staged({ input_files: ["data/sales.csv"], output_file: file })).toHaveLength(1);
    },
  );

  it("may be matched by a pattern that is no plain name", async () => {
    expect(await staged({ input_files: ["data/sales.csv"], output_files: ["*.csv"] })).toHaveLength(1);
  });

  it("are all looked at, also when something else is wrong", async () => {
    expect(await staged({ timeout: 0, input_files: ["a.csv", "b.csv"] })).toEqual([
      "out-of-range: timeout must be at least 1, not 0",
      'bad-input-file: input_files[0] does not exist beside the eval file: "a.csv"',
      'bad-input-file: input_files[1] does not exist beside the eval file: "b.csv"',
    ]);
  });
});
