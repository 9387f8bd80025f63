import { cp, mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { readScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { EXAMPLES } from "../support/examples.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Pages whose `sh` blocks are run; what other pages show needs a service, a recording or a repository. */
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
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "examples/README.md",
  ...(await readdir(join(ROOT, "docs"), { recursive: true }))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

describe.each(RUN_PAGES)("%s", (page) => {
  it("shows commands that work, in this order, beside the examples", { timeout: 180_000 }, async () => {
    const lines = shellLines(await read(page));
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

  it("names only commands and flags that there are", async () => {
    const text = await read(page);
    const named = [...text.matchAll(/(?:^ {4}|^|`)(?:npx )?assay ([a-z]+)\b([^`\n#]*)/gm)];
    const unknown = [];
    for (const [whole, name = "", rest = ""] of named) {
      const entry = COMMANDS.find((command) => command.name === name);
      const help = entry === undefined ? "" : (await assay([name, "--help"], { cwd: ROOT })).out;
      const flags = [...(rest.split(" -- ")[0] ?? "").matchAll(/ (--[a-z][a-z-]*)/g)].map(
        ([, flag]) => flag ?? "",
      );
      if (entry === undefined || flags.some((flag) => !new RegExp(`^ .*${flag}\\b`, "m").test(help)))
        unknown.push(whole);
    }
    expect(unknown).toEqual([]);
  });
});

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

function shellLines(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
  return blocks
    .flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/^npx /, ""))
    .filter((line) => /^(assay|cd) /.test(line));
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
