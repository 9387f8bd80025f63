import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formats } from "../../src/load/formats/index.ts";
import { graders } from "../../src/grade/graders/index.ts";
import { safeRegex } from "../../src/lib/safe-regex/safe-regex.ts";
import { BUILT_IN_PARTS } from "../../src/operations/parts.ts";
import { assay } from "../support/command-line.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Which page has the table of which parts. */
const PAGES = {
  format: BUILT_IN_PARTS.formats,
  harness: BUILT_IN_PARTS.harnesses,
  sandbox: BUILT_IN_PARTS.sandboxes,
  executor: BUILT_IN_PARTS.executors,
  grader: BUILT_IN_PARTS.graders,
  judge: BUILT_IN_PARTS.judges,
  reporter: BUILT_IN_PARTS.reporters,
};

describe("built-in parts", () => {
  it.each(Object.entries(PAGES))("are those that docs/extend/%s.md lists", async (page, parts) => {
    const text = await readFile(join(ROOT, "docs", "extend", `${page}.md`), "utf8");
    const table = text.slice(text.indexOf("\n## Built in\n"));
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
    expect(rows.map(([, name, help]) => ({ name, help }))).toEqual(parts);
  });

  it.each([
    ["harnesses.md", /^\| harness \|.*\n\|[-|]+\n((?:\|.*\n)+)/m, BUILT_IN_PARTS.harnesses],
    ["security.md", /^\| `--sandbox` \|.*\n\|[-|]+\n((?:\|.*\n)+)/m, BUILT_IN_PARTS.sandboxes],
  ])("are all in the table of docs/%s", async (page, table, parts) => {
    const [, rows = ""] = table.exec(await readFile(join(ROOT, "docs", page), "utf8")) ?? [];
    const named = [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual(parts.map(({ name }) => name).toSorted());
  });

  it("are what the help of their flags offers", async () => {
    const { out } = await assay(["run", "--help"], { cwd: ROOT });
    const { harnesses, sandboxes, judges, reporters } = BUILT_IN_PARTS;
    const flags = { harness: harnesses, sandbox: sandboxes, transport: judges, reporter: reporters };
    for (const [flag, parts] of Object.entries(flags)) {
      const help = new RegExp(`^ +--${flag} [^]*?(?=^ +--)`, "m").exec(out)?.[0].replaceAll(/\s+/g, " ");
      expect(help).toContain(parts.map(({ name }) => name).join(", "));
    }
  });

  it("have the names by which they know themselves", async () => {
    expect(await Promise.all(formats.map(async ({ open }) => (await open()).name))).toEqual(
      formats.map(({ name }) => name),
    );
    await using regex = safeRegex();
    const reach = () => Promise.reject(new Error("offline"));
    expect(graders.map(({ create }) => create({ regex, network: "off", reach }).name)).toEqual(
      graders.map(({ name }) => name),
    );
  });
});
