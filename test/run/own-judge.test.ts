import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const SCRIPTED = ["--harness", "scripted", "--script", "script.json", "--config", "assay.config.mjs"];

describe("a judge of one's own", () => {
  it.each<[string, Said]>([
    ["the flag", { args: ["--grading-provider", "mine"] }],
    ["a variable", { env: { ASSAY_GRADING_PROVIDER: "mine" } }],
    ["the eval file", { spec: { grading_provider: "mine" } }],
    ["the configuration", { config: { grading_provider: "mine" } }],
  ])("is asked where %s names it", async (_, { args = [], env = {}, spec = {}, config = {} }) => {
    await using project = await projectWith({ spec, config });
    const ended = await assay(["run", ".", ...SCRIPTED, ...args], { cwd: project.root, env });
    expect(ended.out + ended.err).toContain("mine would rather not say");
    const manifest = await readFile(project.path(".assay/greeter/iteration-1/run.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ judge: { provider: "mine", model: "m-1" } });
  });

  it("is no error of the eval file where the configuration adds it", async () => {
    await using project = await projectWith({ spec: { grading_provider: "mine" } });
    const configured = await assay(["check", ".", "--config", "assay.config.mjs"], { cwd: project.root });
    expect(configured).toMatchObject({ exitCode: 0 });
    const without = await assay(["check", "."], { cwd: project.root });
    expect(without).toMatchObject({ exitCode: 2 });
    expect(without.out + without.err).toContain(
      'grading_provider must be one of "anthropic", "openai", "auto", not "mine"',
    );
  });

  it("is among the choices that a misspelled name is answered with", async () => {
    await using project = await projectWith({});
    const env = { ASSAY_GRADING_PROVIDER: "mime" };
    const { exitCode, err } = await assay(["run", ".", ...SCRIPTED], { cwd: project.root, env });
    expect(exitCode).toBe(2);
    expect(err).toContain('ASSAY_GRADING_PROVIDER is "mime", which is not an allowed choice');
    expect(err).toContain("choose one of anthropic, openai, openai-compatible, auto, mine");
  });
});

interface Said {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly config?: object;
}

const JUDGE = `{ name: "mine", model: "m-1", ask: async () => ({
  status: "unanswered", reason: "mine would rather not say", calls: 1,
  usage: { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null, reasoningTokens: null, costUsd: null },
}) }`;

function projectWith({ spec = {}, config = {} }: Said): Promise<TempTree> {
  const settings = JSON.stringify(config).slice(1, -1);
  return tempTree({
    ".git/HEAD": "",
    "SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "SKILL.eval.json": JSON.stringify({
      test_args: "Ada",
      grading_criteria: [{ id: "city", criterion: "It names a city" }],
      ...spec,
    }),
    "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Hello from Paris" }] }] }),
    "assay.config.mjs": `export default { ${settings}${settings === "" ? "" : ","} judges: [{ name: "mine", help: "", create: () => (${JUDGE}) }] };`,
  });
}
