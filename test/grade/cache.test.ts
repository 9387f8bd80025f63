import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GradingFile } from "../../src/store/write/grading.ts";
import { assay } from "../support/command-line.ts";
import { fixture, type JudgedProject, judgedProject } from "../support/judged-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const RUN = ["run", "skills/unit-table", "--harness", "scripted"];
const ODD = ".assay/unit-table/iteration-1/eval-2-unknown-unit/with_skill/run-1/grading.json";

const UNSAID = { XDG_CACHE_HOME: "", XDG_CONFIG_HOME: "" };

/** `assay` in a project, as somebody with this home. */
function by(project: JudgedProject, home: string, more: Readonly<Record<string, string>> = {}) {
  return (...args: readonly string[]) =>
    assay(args, { cwd: project.root, env: { ...project.env, ...UNSAID, HOME: home, ...more } });
}

const run = [...RUN, "--script", fixture("skill-creator", "agent.json")];

async function answersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe("answers of judges", () => {
  it("that a project brings along are not believed", async () => {
    await using attacker = await tempTree();
    await using user = await tempTree();
    await using project = await judgedProject("skill-creator");
    await by(project, attacker.root)(...run, "--workspace", attacker.path("results"));
    const [honest, forged] = [attacker.path(".cache/assay/answers"), project.path(".assay/cache/answers")];
    for (const file of await answersIn(honest)) {
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replaceAll('"passed":false', '"passed":true'));
    }
    await cp(honest, forged, { recursive: true });
    const asked = project.sim.requests.length;
    const { exitCode } = await by(project, user.root)(...run);
    expect(project.sim.requests.length).toBeGreaterThan(asked);
    expect(exitCode).toBe(1);
  });

  it("are the user's, and a verdict that rests on one says so", async () => {
    await using user = await tempTree();
    await using project = await judgedProject("skill-creator");
    const call = by(project, user.root);
    await call(...run);
    expect(existsSync(project.path(".assay/cache/answers"))).toBe(false);
    const fresh = await project.json<GradingFile>(ODD);
    expect(fresh.expectations.filter(({ cached }) => cached !== undefined)).toEqual([]);
    await call("grade");
    const { expectations } = await project.json<GradingFile>(ODD);
    const judged = expectations.filter(({ layer }) => layer === "L3");
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.every(({ cached }) => cached === true)).toBe(true);
    expect(expectations.filter(({ layer, cached }) => layer === "L1" && cached === true)).toEqual([]);
    expect((await call("show", "unit-table@1/2", "--all")).out).toContain("remembered answer");
  });

  it("are believed only with the user's seal, and from the service that gave them", async () => {
    await using user = await tempTree();
    await using project = await judgedProject("skill-creator");
    const call = by(project, user.root);
    await call(...run);
    const grade = async (more: Readonly<Record<string, string>> = {}) => {
      const asked = project.sim.requests.length;
      await by(project, user.root, more)("grade");
      return project.sim.requests.length - asked;
    };
    expect(await grade()).toBe(0);
    const elsewhere = { ANTHROPIC_BASE_URL: `${project.sim.url}/` };
    expect(await grade(elsewhere)).toBeGreaterThan(0);
    for (const file of await answersIn(user.path(".cache/assay/answers"))) {
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replaceAll('"passed":false', '"passed":true'));
    }
    expect(await grade()).toBeGreaterThan(0);
    expect(await grade()).toBe(0);
    await writeFile(user.path(".config/assay/answers.key"), `${"0".repeat(64)}\n`);
    expect(await grade()).toBeGreaterThan(0);
  });

  it("are forgotten by assay clean --cache, which leaves iterations alone", async () => {
    await using user = await tempTree();
    await using project = await judgedProject("skill-creator");
    const call = by(project, user.root, { XDG_CACHE_HOME: user.path("caches") });
    await call(...run);
    const count = (await answersIn(user.path("caches/assay/answers"))).length;
    expect((await call("clean", "--cache", "--dry-run")).out).toContain(
      `would forget ${count} answers of judges`,
    );
    const { out } = await call("clean", "--cache");
    expect(out).toContain(`forgot ${count} answers of judges`);
    expect(out).toContain("removed 0 iterations, 0.0 MB; left: 1 iteration");
    const asked = project.sim.requests.length;
    await call("grade");
    expect(project.sim.requests.length).toBeGreaterThan(asked);
  });

  it("that cannot be kept are still answers", async () => {
    await using user = await tempTree({ ".cache": "a file, not a folder" });
    await using project = await judgedProject("skill-creator");
    const { out } = await by(project, user.root)(...run);
    expect(out).toContain("unit-table: FAILED");
    expect(out).not.toContain("unscored");
  });
});
