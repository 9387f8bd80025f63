import { cp, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { readScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { json } from "../support/greeters.ts";

// Each test runs agents on all cases.
vi.setConfig({ testTimeout: 180_000 });

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SKILL = join(ROOT, "skills", "assay");
const CASSETTES = join(SKILL, "evals", "cassettes");
const SCRIPT = fileURLToPath(new URL("fixtures/assay-skill.model.yaml", import.meta.url));
const AGENT = ["--harness", "builtin", "--model", "claude-sonnet-5"];

/** A copy, so that results lie outside of the repository. */
async function copied(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "assay-skill-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(SKILL, join(root, "assay"), { recursive: true });
  return root;
}

async function withModel(act: (env: Readonly<Record<string, string>>) => Promise<void>): Promise<void> {
  await using sim = await startSim(await readScript(SCRIPT));
  await act({ ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "any-key-will-do" });
}

describe("the skill that teaches agents Assay", () => {
  it("is a valid skill and a plugin of the same version as the program", async () => {
    const checked = await assay(["check", "assay", "--strict"], { cwd: await copied() });
    expect(checked.out).toContain("0 errors, 0 notes");
    const plugin = await json<{ name: string; version: string }>(join(SKILL, ".claude-plugin/plugin.json"));
    const { version } = await json<{ version: string }>(join(ROOT, "package.json"));
    expect(plugin).toMatchObject({ name: "assay", version });
  });

  it("names only commands and options that exist", async () => {
    const texts = await Promise.all(
      ["SKILL.md", "references/evals.md"].map((name) => readFile(join(SKILL, name), "utf8")),
    );
    const calls = texts.flatMap((text) => [...text.matchAll(/`assay ([a-z]+)([^`]*)`/g)]);
    expect(calls.length).toBeGreaterThan(10);
    for (const [, name = "", rest = ""] of calls) {
      const help = await assay([name, "--help"], { cwd: ROOT });
      expect({ name, exitCode: help.exitCode }).toEqual({ name, exitCode: 0 });
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(help.out).toContain(flag);
    }
  });

  it("helps a scripted model on its own evals, as docs/assay-skill.md shows", async () => {
    const cwd = await copied();
    await withModel(async (env) => {
      const { exitCode, out } = await assay(["bench", "assay", ...AGENT, "--runs", "1"], { cwd, env });
      expect(exitCode).toBe(0);
      expect(out).toContain("Ship it");
      const { benchmark } = await json<Summary>(join(cwd, ".assay/assay/iteration-1/summary.json"));
      const comparison = benchmark?.comparisons[0]?.passRate;
      expect(comparison).toMatchObject({ verdict: "better", cases: 6 });
      const page = await readFile(join(ROOT, "docs/assay-skill.md"), "utf8");
      const rows = (benchmark?.cases ?? []).map(
        ({ name, treatment, baseline }) =>
          `| ${name} | ${percent(treatment.passRate)} | ${percent(baseline.passRate)} |`,
      );
      expect(rows).toHaveLength(6);
      for (const row of rows) expect(page).toContain(row);
      expect(page).toContain(`+${Math.round((comparison?.lift ?? 0) * 100)} points`);
    });
  });

  it("passes its evals from the recordings, without a model", async () => {
    const cwd = await copied();
    if (process.env["UPDATE_GOLDEN"] === "1") await record(cwd);
    expect(
      (await readdir(CASSETTES, { recursive: true })).filter((name) => name.endsWith(".jsonl")),
    ).toHaveLength(6);
    const replayed = await assay(
      ["run", "assay", ...AGENT, "--replay", "--cassettes", join(cwd, "assay/evals/cassettes")],
      { cwd },
    );
    expect(replayed.err).not.toContain("replay miss");
    expect(replayed.out).toContain("assay (claude-sonnet-5): passed");
    expect(replayed.exitCode).toBe(0);
  });
});

async function record(cwd: string): Promise<void> {
  await rm(CASSETTES, { recursive: true, force: true });
  await rm(join(cwd, "assay/evals/cassettes"), { recursive: true, force: true });
  const words = ["run", "assay", ...AGENT, "--record", "--cassettes", join(cwd, "assay/evals/cassettes")];
  await withModel(async (env) => void (await assay(words, { cwd, env })));
  await rm(join(cwd, ".assay"), { recursive: true, force: true });
  await cp(join(cwd, "assay/evals/cassettes"), CASSETTES, { recursive: true });
}

function percent(share: number | null): string {
  return share === null ? "-" : `${Math.round(share * 100)} %`;
}
