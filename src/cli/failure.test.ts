import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import { printFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

function failing(error: unknown): { exitCode: number; err: string } {
  let err = "";
  const terminal: Terminal = {
    out: () => {
      throw new Error("a failure is no result");
    },
    err: (text) => void (err += text),
    env: {},
    cwd: "/",
    decorated: { out: false, err: false },
    columns: 80,
    interactive: false,
    ask: async () => "",
  };
  return { exitCode: printFailure(error, terminal), err };
}

describe("a failure", () => {
  it("that the user can fix is said with its findings first, without a stack", () => {
    const error = new UserError("area/what", "it cannot be done", {
      hint: "do this",
      diagnostics: [
        {
          severity: "error",
          code: "a/b",
          message: "wrong",
          at: { file: "/x.json", line: 1, column: 2 },
          hint: null,
        },
      ],
    });
    expect(failing(error)).toEqual({
      exitCode: 2,
      err: "x.json:1:2 error: wrong [a/b]\nerror: it cannot be done [area/what]\n  hint: do this\n",
    });
  });

  it("of our own comes with its stack and exit 3", () => {
    const { exitCode, err } = failing(new TypeError("x is not a function"));
    expect(exitCode).toBe(3);
    expect(err).toMatch(/^error: Assay itself failed.*\nTypeError: x is not a function\n {4}at /);
  });

  it.each(["ENOSPC", "EDQUOT"])("of a full disk (%s) says how to go on, without a stack", (code) => {
    const full = Object.assign(new Error(`${code}: no space left on device, write`), {
      code,
      syscall: "write",
    });
    const { exitCode, err } = failing(full);
    expect(exitCode).toBe(3);
    expect(err).toMatch(/^error: the disk is full: .*\[store\/disk-full\]\n {2}hint: .*--resume.*\n$/);
    expect(failing(new UserError("run/disk-full", "the disk is full")).exitCode).toBe(3);
  });

  it("of a disk that fails names the file, and says how to go on", () => {
    const said = { code: "EIO", syscall: "fsync", path: "/results/manifest.json" };
    expect(failing(Object.assign(new Error("EIO: i/o error, fsync"), said))).toEqual({
      exitCode: 3,
      err: expect.stringMatching(
        /^error: the disk failed: \/results\/manifest\.json .*\(EIO.*\[store\/disk-failed\]\n {2}hint: .*--resume.*\n$/,
      ) as string,
    });
  });

  it("of a file system that is read-only has no stack", () => {
    const said = { code: "EROFS", syscall: "open", path: "/results/x" };
    const error = Object.assign(new Error("EROFS: read-only file system, open '/results/x'"), said);
    expect(failing(error)).toEqual({
      exitCode: 2,
      err: expect.stringMatching(
        /^error: the file system is read-only: .*\n {2}hint: .*--workspace\n$/,
      ) as string,
    });
  });

  it("that quotes hostile text is inert", () => {
    expect(failing(new UserError("a/b", "no \u001B[2J")).err).toBe("error: no \\u001b[2J [a/b]\n");
    expect(failing("\u001B[2J").err).toContain("\\u001b[2J");
  });
});
