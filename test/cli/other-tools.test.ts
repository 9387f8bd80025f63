import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

/** Flags of clauditor, Skillet, BMad and skill-creator that somebody's fingers know. */
const FLAGS = [
  "--variance",
  "--only-criterion",
  "--min-baseline-delta",
  "--baseline",
  "--diff",
  "--from-iteration",
  "--from-capture",
  "--project-dir",
  "--no-api-key",
  "--blind",
  "--spec",
  "--agent",
  "--samples",
  "--parallel",
  "--tools",
  "--skip-cache",
  "--max-evals",
  "--rounds",
  "--skill-path",
  "--eval-set",
  "--num-workers",
  "--runs-per-query",
  "--evals-file",
  "--triggers-file",
  "--eval-ids",
  "--case-ids",
  "--workers",
  "--threshold",
  "--isolation",
  "--output-dir",
  "--cross-harness",
  "--cross-provider",
  "--target",
  "--list-rules",
  "--queries",
  "--variant-path",
  "--adapter",
  "--max-iterations",
];

const COMMANDS = [
  "eval",
  "evaluate",
  "test",
  "triggers",
  "validate",
  "lint",
  "extract",
  "regrade",
  "benchmark",
  "diff",
  "tune",
  "suggest",
  "propose-eval",
  "generate",
  "generate-evals",
  "create",
  "audit",
  "badge",
  "ls",
];

describe("somebody who knows another tool", () => {
  let tree: TempTree;
  let cwd: string;
  beforeAll(async () => {
    tree = await tempTree();
    cwd = tree.root;
  });
  afterAll(() => tree[Symbol.asyncDispose]());

  test.each(FLAGS)("is pointed from %s at flags that exist", async (flag) => {
    const { exitCode, err } = await assay(["run", flag, "1"], { cwd });
    expect(exitCode).toBe(2);
    expect(err).toMatch(new RegExp(`^error: unknown option '${flag}'\n  hint: .*'s ${flag} is `));
    await expectToExist(err.split(" is ").slice(1).join(" is ").split(";")[0] ?? "");
  });

  test("finds every flag in docs/coming-from.md", async () => {
    const page = await readFile(new URL("../../docs/coming-from.md", import.meta.url), "utf8");
    expect(FLAGS.filter((flag) => !page.includes(`\`${flag}`) && !page.includes(` ${flag}`))).toEqual([]);
  });

  test.each(COMMANDS)("is pointed from assay %s at commands that exist", async (word) => {
    const { exitCode, err } = await assay([word], { cwd });
    expect(exitCode).toBe(2);
    expect(err).toContain("hint: try assay ");
    await expectToExist(err.split("hint: ")[1] ?? "");
  });

  test.each([
    ["--cases", "7"],
    ["--models=opus"],
    ["--harnesses", "builtin"],
    ["--eval", "evals.json"],
    ["--reporters", "json"],
  ])("may say %s", async (...args) => {
    const { err } = await assay(["run", ...args], { cwd });
    expect(err).not.toContain("unknown option");
  });

  test("has a value left as it is, whatever it looks like", async () => {
    const { err } = await assay(["run", "--agent-arg", "--cases", "--json"], { cwd });
    expect(err).not.toContain("unknown option");
    expect(err).not.toContain("argument missing");
  });

  test("has everything behind -- left as it is", async () => {
    const { err } = await assay(["run", "--", "--cases"], { cwd });
    expect(err).toContain("--cases:1:1 error");
  });

  test("may repeat a flag that takes several", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const { out, exitCode } = await assay([...RUN, "--case", "1", "--case", "2", "--json"], {
      cwd: project.root,
    });
    expect(exitCode).toBe(0);
    expect(out.match(/"caseId": "[12]"/g)).toEqual(
      expect.arrayContaining(['"caseId": "1"', '"caseId": "2"']),
    );
  });

  test("has the short flags of the trade", async () => {
    const { out } = await assay(["run", "--help"], { cwd });
    for (const short of ["-k, --filter", "-n, --runs", "-j, --concurrency", "-y, --yes"]) {
      expect(out).toContain(short);
    }
  });

  /** Each flag that is named must be in the help of the command named before it, `run` where none is. */
  async function expectToExist(hint: string): Promise<void> {
    const commands = [...hint.matchAll(/assay ([a-z-]+)/g)].map(([, name]) => name ?? "");
    const flags = hint.match(/--[a-z-]+/g) ?? [];
    expect(commands.length + flags.length + (hint.includes("the argument") ? 1 : 0)).toBeGreaterThan(0);
    const helps = await Promise.all(
      (commands.length === 0 ? ["run"] : commands).map(async (name) => {
        const { exitCode, out } = await assay([name, "--help"], { cwd });
        expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
        return out;
      }),
    );
    for (const flag of flags) expect(helps.join("\n")).toMatch(new RegExp(`${flag}\\b`));
  }
});
