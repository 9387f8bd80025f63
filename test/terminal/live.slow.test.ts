import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { assayPane, type PaneSize } from "./assay-pane.ts";
import { bars, expectScreen, hasEnded } from "./screens.ts";
import { HAS_TMUX, type Pane } from "./tmux.ts";

let command: Awaited<ReturnType<typeof builtCommand>>;

beforeAll(async () => {
  command = await builtCommand();
}, 180_000);

afterAll(async () => {
  await command[Symbol.asyncDispose]();
});

const NAMES = ["ada", "bob", "cyd"];

/** A skill whose agent works on each case until a file of its name is in `go/`; it greets everybody but Bob. */
async function project(names: readonly string[], agent = ""): Promise<TempTree> {
  const tree = await tempTree({ "go/": "" });
  const wait = (name: string) => `${agent}until [ -e ${tree.path(`go/${name}`)} ]; do sleep 0.05; done\n`;
  const evals = names.map((name) => ({
    id: name,
    prompt: `Greet ${name}.`,
    files: [`evals/files/${name}.sh`],
    assay: { checks: [{ type: "contains", needle: "Hello" }] },
  }));
  const replies = names.map((name) => ({
    when: { prompt: `Greet ${name}.` },
    steps: [
      { skill: "greeter" },
      { bash: `sh evals/files/${name}.sh` },
      { text: name === "bob" ? "Bye" : "Hello" },
    ],
  }));
  const files: Record<string, string> = {
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people.\n---\n\nGreet.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "script.json": JSON.stringify({ replies }),
    ...Object.fromEntries(names.map((name) => [`skills/greeter/evals/files/${name}.sh`, wait(name)])),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(tree.path(path)), { recursive: true });
    await writeFile(tree.path(path), text);
  }
  return tree;
}

async function paneIn(tree: TempTree, size: PaneSize = {}): Promise<Pane> {
  const flags = "skills/greeter --harness scripted --script script.json --sandbox none";
  return await assayPane(tree, { ...size, command: command.path, flags });
}

async function go(tree: TempTree, name: string): Promise<void> {
  await writeFile(tree.path(`go/${name}`), "");
}

const working = (screen: string) => screen.match(/^ {2}• .*Bash: sh evals/gm)?.length ?? 0;

describe.skipIf(!HAS_TMUX)("the live view at a terminal (needs tmux)", () => {
  it.each([
    { columns: 80, rows: 24 },
    { columns: 200, rows: 50 },
  ])("shows what runs, how far it is and how it ended, at $columns x $rows", async ({ columns, rows }) => {
    await using tree = await project(NAMES);
    await using pane = await paneIn(tree, { columns, rows });
    const name = `${columns}x${rows}`;
    await pane.type("assay run");
    await expectScreen(
      `${name}-begun`,
      await pane.until((seen) => working(seen) === 3, "three trials at work"),
    );
    await go(tree, "ada");
    await pane.until((seen) => seen.includes("✓ 1/3"), "that ada passed");
    await go(tree, "bob");
    const two = await pane.until(
      (seen) => seen.includes("✗ 2/3") && working(seen) === 1 && !seen.includes("• bob"),
      "that bob failed",
    );
    await expectScreen(`${name}-two-ended`, two);
    await go(tree, "cyd");
    const ended = await pane.until(hasEnded, "the end");
    await expectScreen(`${name}-ended`, ended);
    expect(bars(ended)).toBe(0);
  });

  it("folds 300 cases into the rows that there are", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `case-${String(at).padStart(3, "0")}`);
    await using tree = await project(names);
    await using pane = await paneIn(tree);
    await pane.type("assay run --concurrency 24");
    const screen = await pane.until(
      (seen) => /and \d+ more running/.test(seen) && working(seen) > 2,
      "more trials than rows",
    );
    expect(screen.split("\n").length).toBeLessThanOrEqual(24);
    expect(screen).toContain("0/300 trials");
    await pane.press("C-c");
    expect(await pane.until(hasEnded, "the end")).toContain("exit 130");
  });

  it("survives a window that shrinks and grows, and leaves nothing behind", async () => {
    await using tree = await project(NAMES);
    await using pane = await paneIn(tree);
    await pane.type("assay run");
    await pane.until((seen) => working(seen) === 3, "three trials at work");
    for (const [columns, rows] of [
      [50, 12],
      [120, 30],
      [38, 9],
      [80, 24],
    ] as const) {
      await pane.resize(columns, rows);
      const fits = (seen: string) =>
        bars(seen) <= 1 && seen.match(/^ {2}• /gm)?.length === 3 && seen.includes("0/3 trials");
      const screen = await pane.until(fits, `the view at ${columns}x${rows}`);
      expect(screen.match(/0\/3 trials/g)).toHaveLength(1);
    }
    for (const name of NAMES) await go(tree, name);
    const ended = await pane.until(hasEnded, "the end");
    expect(bars(ended)).toBe(0);
    expect(ended).toContain("greeter: FAILED: 1 of 3 cases");
    expect(ended.match(/3 trials with scripted/g)).toHaveLength(1);
  });

  it("stops on Ctrl-C, says how to continue, and cleans up", async () => {
    await using tree = await project(NAMES);
    await using pane = await paneIn(tree);
    await pane.type("assay run");
    await pane.until((seen) => working(seen) === 3, "three trials at work");
    await go(tree, "ada");
    await pane.until((seen) => seen.includes("✓ 1/3"), "that ada passed");
    await pane.press("C-c");
    const ended = await pane.until(hasEnded, "the end");
    await expectScreen("interrupted", ended);
    expect(ended).toContain("exit 130");
  });

  it("quits at once on the second Ctrl-C, and leaves a clean screen", async () => {
    await using tree = await project(NAMES, "trap '' TERM INT\n");
    await using pane = await paneIn(tree);
    await pane.type("assay run");
    await pane.until((seen) => working(seen) === 3, "three trials at work");
    await pane.press("C-c");
    await pane.until((seen) => seen.includes("press Ctrl-C again"), "the way to quit");
    await pane.press("C-c");
    const ended = await pane.until(hasEnded, "the end");
    expect(ended).toContain("exit 130");
    expect(bars(ended)).toBe(0);
    for (const name of NAMES) await go(tree, name);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["pipe", {}, "assay run 2>&1 | cat -v"],
    ["ci", { CI: "true" }, "assay run"],
    ["agent", { CLAUDECODE: "1" }, "assay run"],
    ["no-color", { NO_COLOR: "1" }, "assay run"],
  ])("draws nothing that does not suit the reader: %s", async (name, env, line) => {
    await using tree = await project(NAMES);
    await using pane = await paneIn(tree, { env });
    await pane.type(line);
    for (const [at, one] of NAMES.entries()) {
      await go(tree, one);
      const hasLine = (seen: string) => seen.includes(`${at + 1}/3`) || hasEnded(seen);
      if (name !== "agent") await pane.until(hasLine, `that ${one} ended`);
    }
    const ended = await pane.until(hasEnded, "the end");
    await expectScreen(`reader-${name}`, ended);
    expect(bars(ended)).toBe(0);
    expect(ended).not.toContain("^[");
  });
});
