import { cp, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { readScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { memo } from "../../src/lib/memo.ts";
import { assay } from "../support/command-line.ts";
import { PAGES as BLOCK_PAGES, ROOT, shellBlocks, strayCommands } from "../support/docs/blocks.ts";
import { EXAMPLES } from "../support/examples.ts";
import { commandsPage } from "../support/reference/commands.ts";
import { diagnosticsPage } from "../support/reference/diagnostics.ts";
import { fieldsPage } from "../support/reference/fields.ts";

/** Pages whose blocks are quick to run, in this process; the slow suite runs those of all pages, and those that make files, in a shell. */
const RUN_PAGES = [
  "README.md",
  "docs/README.md",
  "docs/check.md",
  "docs/configuration.md",
  "docs/formats.md",
  "docs/results.md",
  "docs/security.md",
];

const PAGES = [
  ...BLOCK_PAGES,
  "CHANGELOG.md",
  ...(await readdir(join(ROOT, "docs"), { recursive: true }))
    .filter((name) => /^(?:design|reference)\/.*\.md$/.test(name))
    .map((name) => `docs/${name}`),
];

describe.each(RUN_PAGES)("%s", (page) => {
  it("shows commands that work, in this order, beside the examples", { timeout: 180_000 }, async () => {
    const lines = shellBlocks(page)
      .filter(({ needs, text }) => needs === null && !/^(?:mkdir|printf|echo) /m.test(text))
      .flatMap(({ text }) => text.split("\n").map((line) => line.replace(/^npx /, "")))
      .filter((line) => /^(assay|cd) /.test(line));
    expect(lines.length).toBeGreaterThan(0);
    const root = await realpath(await mkdtemp(join(tmpdir(), "docs-")));
    await cp(EXAMPLES, join(root, "examples"), { recursive: true });
    await using sim = await startSim(await readScript(join(EXAMPLES, "demo", "csv-report.model.yaml")));
    const env = {
      ANTHROPIC_BASE_URL: sim.url,
      ANTHROPIC_API_KEY: "any-key-will-do",
      ASSAY_HARNESS: "builtin",
      ASSAY_TRANSPORT: "api",
    };
    const failures = await playing(lines, { cwd: root, env });
    expect(failures).toEqual([]);
    await rm(root, { recursive: true });
  });
});

describe.each(BLOCK_PAGES)("%s", (page) => {
  it("has its commands in shell blocks, which run as printed or say what they need", () => {
    expect(strayCommands(page)).toEqual([]);
  });
});

describe.each(PAGES)("%s", (page) => {
  it("links to files and headings that are there", async () => {
    const links = [...(await read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
    const broken = [];
    for (const link of links.filter((one) => !/^[a-z]+:/.test(one))) {
      const [path = "", heading = null] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      const found = await stat(join(ROOT, target)).catch(() => null);
      if (found === null || (heading !== null && !headings(await read(target)).includes(heading)))
        broken.push(link);
    }
    expect(broken).toEqual([]);
  });

  // That page quotes mistakes; test/docs/first-hour.slow.test.ts makes each of them.
  it.skipIf(page === "docs/design/first-hour.md")(
    "names only commands and flags that there are",
    { timeout: 60_000 },
    async () => {
      const text = await read(page);
      const named = [...text.matchAll(/(?:^ {4}|^|`)(?:npx )?assay ([a-z]+)\b([^`\n#]*)/gm)];
      const unknown = [];
      for (const [whole, name = "", rest = ""] of named) {
        const entry = COMMANDS.find((command) => command.name === name);
        const help = entry === undefined ? "" : await helpOf(name);
        const flags = [...(rest.split(" -- ")[0] ?? "").matchAll(/ (--[a-z][a-z-]*)/g)].map(
          ([, flag]) => flag ?? "",
        );
        if (entry === undefined || flags.some((flag) => !new RegExp(`^ .*${flag}\\b`, "m").test(help)))
          unknown.push(whole);
      }
      expect(unknown).toEqual([]);
    },
  );
});

const REFERENCE = { "commands.md": commandsPage, "diagnostics.md": diagnosticsPage, "json.md": fieldsPage };

it.each(Object.entries(REFERENCE))(
  "docs/reference/%s is current; npm run reference writes it",
  async (name, page) => {
    const expected = await page();
    if (process.env["UPDATE_GOLDEN"] !== undefined)
      await writeFile(join(ROOT, "docs/reference", name), expected);
    expect(await read(`docs/reference/${name}`)).toBe(expected);
  },
);

it("docs/README.md leads to every page", async () => {
  const index = await read("docs/README.md");
  const pages = (await readdir(join(ROOT, "docs"))).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  expect(pages.filter((name) => !index.includes(`(${name}`))).toEqual([]);
});

it("README.md has the two commands of a newcomer", async () => {
  const text = await read("README.md");
  for (const line of ["npm install && npm run demo", "npm install && npm test"])
    expect(text).toMatch(new RegExp(`^    ${line}\\b`, "m"));
});

const helpOf = memo(async (name: string) => (await assay([name, "--help"], { cwd: ROOT })).out);

/** Runs the lines one after the other; answers those that did not end well, with what they said. */
async function playing(
  lines: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<string[]> {
  const failures: string[] = [];
  let here = cwd;
  for (const line of lines) {
    const [program, ...args] = line.replace(/ *#.*| > .*/, "").split(" ");
    if (program === "cd") here = join(here, args[0] ?? "");
    else {
      const { exitCode, out, err } = await assay(args, { cwd: here, env });
      if (exitCode !== 0) failures.push(`${line}: exit ${exitCode}\n${out}${err}`);
    }
  }
  return failures;
}

function read(page: string): Promise<string> {
  return readFile(join(ROOT, page), "utf8");
}

/** As GitHub makes anchors of them. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
