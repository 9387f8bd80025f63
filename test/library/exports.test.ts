import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { environment, runNode } from "../support/run-node.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** A project that has installed the package from its archive, as `npm pack` makes it. */
let project: string;
let subpaths: readonly string[];

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), "consumer-")));
  const npm = ["pack", "--ignore-scripts", "--offline", "--pack-destination", project];
  await run("npm", npm, { cwd: inject("builtPackage"), env: environment(project) });
  const archive = (await readdir(project)).find((name) => name.endsWith(".tgz")) ?? "";
  await mkdir(join(project, "node_modules", "assay"), { recursive: true });
  const unpack = ["-xzf", archive, "--strip-components=1", "-C", join("node_modules", "assay")];
  await run("tar", unpack, { cwd: project });
  for (const name of ["vitest", "@types"])
    await symlink(join(ROOT, "node_modules", name), join(project, "node_modules", name));
  await writeFile(join(project, "package.json"), '{"type": "module"}');
  const manifest = JSON.parse(
    await readFile(join(project, "node_modules", "assay", "package.json"), "utf8"),
  ) as { readonly exports: Readonly<Record<string, unknown>> };
  subpaths = Object.keys(manifest.exports)
    .filter((path) => path !== "./package.json")
    .map((path) => path.replace(/^\./, "assay"));
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

describe("the packed package", () => {
  it("can be imported by every subpath that it names", { timeout: 60_000 }, async () => {
    // Only Vitest can load what declares its tests or extends its matchers.
    const loadable = subpaths.filter((path) => !["assay/contracts", "assay/vitest"].includes(path));
    expect(loadable.length).toBeGreaterThan(30);
    const lines = loadable.map(
      (path) =>
        `console.log(${JSON.stringify(path)}, Object.keys(await import(${JSON.stringify(path)})).length);`,
    );
    await writeFile(join(project, "import.mjs"), lines.join("\n"));
    const ended = await runNode(["import.mjs"], { cwd: project, env: environment(project) });
    expect(ended).toMatchObject({ code: 0, err: "" });
    const counts = ended.out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" "));
    expect(counts.map(([path]) => path)).toEqual(loadable);
    const typesOnly = counts.filter(([, count]) => count === "0").map(([path]) => path);
    expect(typesOnly).toEqual([]);
  });

  it("has types that a strict program compiles with", { timeout: 120_000 }, async () => {
    const imports = subpaths.map(
      (path, at) => `import * as m${at} from ${JSON.stringify(path)};\nvoid m${at};`,
    );
    await writeFile(join(project, "all.ts"), imports.join("\n"));
    await writeFile(join(project, "consumer.ts"), CONSUMER);
    await writeFile(join(project, "skill.test.ts"), SKILL_TEST);
    await writeFile(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: STRICT, files: ["all.ts", "consumer.ts", "skill.test.ts"] }),
    );
    expect(await compiled()).toEqual([]);
  });

  it("has types that refuse what is wrong", { timeout: 120_000 }, async () => {
    await writeFile(join(project, "wrong.ts"), WRONG);
    await writeFile(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: STRICT, files: ["wrong.ts"] }),
    );
    const errors = await compiled();
    expect(errors.map((line) => /^wrong\.ts\((\d+)/.exec(line)?.[1])).toEqual(["3", "4"]);
  });
});

const STRICT = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};

const CONSUMER = `import { type EvalEvent, evaluate, type Grader, type Harness, type Reporter, thisMachine, UserError } from "assay";
import { BUILT_IN_PARTS } from "assay/parts";
import { reporterContract } from "assay/contracts";
import { failed, measure, runLineAgent, toVerdict } from "assay/toolbox";

const kinds: EvalEvent["kind"][] = [];
const reporter: Reporter = { name: "kinds", event: ({ kind }) => void kinds.push(kind) };
const grader: Grader = {
  name: "never",
  needs: "code",
  decides: (check): check is typeof check => check.kind === "custom",
  grade: async (checks, subject) => ({
    verdicts: checks.map((check) => toVerdict(check, subject, failed("never", [measure("0")]))),
  }),
};
const harness: Harness = {
  name: "sh",
  skillsFolder: ".claude/skills",
  onlyPrograms: true,
  find: async () => ({ name: "sh", version: null, readable: [] }),
  run: (request, context) => runLineAgent({ program: "/bin/sh", args: [], env: {} }, request, context),
};
export async function verdicts(): Promise<readonly string[]> {
  try {
    const { reports } = await evaluate({ targets: ["skills"], runs: 3 }, { machine: thisMachine(), reporters: [reporter] });
    return reports.map(({ summary }) => summary.verdict);
  } catch (error) {
    return error instanceof UserError ? [error.code] : [];
  }
}
export const names: readonly string[] = [...BUILT_IN_PARTS.harnesses.map(({ name }) => name), grader.name, harness.name];
export const contract: typeof reporterContract = reporterContract;
`;

const SKILL_TEST = `import { expect, type SkillRun, skillTest } from "assay/vitest";
const test = skillTest("./skill", { harness: "builtin", maxCostUsd: 1 });
test("greets", { retry: 1 }, async ({ skill }) => {
  const run: SkillRun = await skill.run("Greet Ada", { files: { "who.txt": "Ada" } });
  expect(run).toHaveUsedSkill();
  expect(await skill.query("Greet Ada")).not.toHaveTriggered();
  await expect(run).toPassChecks([{ type: "contains", needle: "Ada" }]);
  await expect(run).toSatisfy("It is polite");
  expect(3).toSatisfy((value: number) => value > 2);
  await expect(skill.case("first")).toPass({ rate: 0.8, confidence: 0.9, runs: 5 });
  await expect(skill).toBeat("no skill", { runs: 5 });
  // @ts-expect-error -- no matcher has such an option
  await expect(skill.case("first")).toPass({ rates: 0.8 });
});
`;

const WRONG = `import { evaluate, thisMachine } from "assay";
const machine = thisMachine();
void evaluate({ runs: "3" }, { machine });
void evaluate({ rnus: 3 }, { machine });
`;

/** What the repository's compiler says about the project, line by line. */
async function compiled(): Promise<readonly string[]> {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { out, err } = await runNode([tsc, "--project", project, "--pretty", "false"], {
    cwd: project,
    env: environment(project),
  });
  return `${out}${err}`.split("\n").filter((line) => line.includes("error"));
}
