import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

describe("assay demo", { timeout: 120_000 }, () => {
  it("shows every example, from a clean home, whatever the project is configured to do", async () => {
    await using elsewhere = await tempTree({ "assay.config.json": '{ "harness": "no-such-agent" }' });
    const env = { HOME: elsewhere.root, ASSAY_HARNESS: "no-such-agent" };
    const { exitCode, out, err } = await assay(["demo"], { cwd: elsewhere.root, env });
    expect(err).toBe("");
    expect(exitCode).toBe(0);
    for (const name of ["csv-report", "release-notes", "conventional-comments", "decision-record"])
      expect(out).toMatch(new RegExp(`^${name}: (passed$|FAILED: 1 of )`, "m"));
    expect(out).toContain("csv-report: better, with the skill against without it");
  });

  it("says why an example does not work", async () => {
    await using elsewhere = await tempTree();
    const words = ["demo", "conventional-comments"];
    const { exitCode, err } = await assay(words, { cwd: elsewhere.root, env: { PATH: "/nonexistent" } });
    expect(exitCode).toBe(3);
    expect(err).toContain("the demo itself failed for assay run conventional-comments");
    expect(err).toContain("mkdir: command not found");
    expect(err).toContain("note: git was not found");
  });

  it("knows its examples", async () => {
    const { exitCode, err } = await assay(["demo", "pdf"], { cwd: "/" });
    expect(exitCode).toBe(2);
    expect(err).toContain("choose from csv-report, release-notes");
  });

  it("stops at Ctrl-C", async () => {
    await using elsewhere = await tempTree();
    let out = "";
    let err = "";
    const exitCode = await main(["demo"], {
      out(text) {
        out += text;
        if (text.includes("=== csv-report")) setImmediate(() => process.emit("SIGINT"));
      },
      err: (text) => void (err += text),
      env: { PATH: process.env["PATH"], HOME: "/dev/null/home" },
      cwd: elsewhere.root,
      decorated: { out: false, err: false },
      columns: 100,
      interactive: false,
      ask: async () => "",
    });
    expect(exitCode).toBe(130);
    expect(err).toContain("stopping the demo");
    expect(out).not.toContain("=== release-notes");
  });
});
