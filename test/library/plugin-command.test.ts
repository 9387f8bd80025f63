import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Stranger, stranger } from "../support/stranger.ts";

const RUN = ["run", "greeter", "--config", "assay.config.mjs"];

/** A project of a stranger whose configuration adds this, as JavaScript. */
function projectWith(added: string): Promise<Stranger> {
  const checks = [{ type: "contains", needle: "Hello" }];
  const evals = ["Ada", "Bob"].map((name, at) => ({
    id: at + 1,
    prompt: `Greet ${name}`,
    assay: { checks },
  }));
  return stranger({
    ".git/HEAD": "",
    "greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "odd.json": '{"odd": true}',
    "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Hello" }] }] }),
    "assay.config.mjs": added,
  });
}

const harness = (run: string) => `
const usage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null, reasoningTokens: null, costUsd: null };
const hello = { outcome: { status: "completed" }, model: null, sessionId: null, steps: 1, usage, denials: [], skillsOffered: ["greeter"], clientVersion: null, notes: [] };
const create = () => ({
  name: "mine", skillsFolder: ".claude/skills", onlyPrograms: false,
  find: async () => ({ name: "mine", version: null, readable: [] }),
  run: async (request, { emit }) => {
    if (request.prompt.turns[0].includes("Bob")) { ${run} }
    emit({ kind: "message", role: "assistant", text: "Hello" });
    return hello;
  },
});
export default { harnesses: [{ name: "mine", help: "", create }] };`;

describe("the command with a plug-in that does wrong", () => {
  it.each([
    ["throws", 'throw new Error("BOOM");', "the harness mine failed: BOOM"],
    ["hangs", "await new Promise(() => {});", "it kept running after the deadline of its trial"],
  ])("goes on where a harness %s in one trial", { timeout: 60_000 }, async (_, code, reason) => {
    await using project = await projectWith(harness(code));
    const ended = await project.assay([...RUN, "--harness", "mine", "--timeout", "2"]);
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.out + ended.err).toContain(reason);
    expect(ended.err).not.toContain("Assay itself failed");
    const folder = project.path(".assay/greeter/iteration-1");
    const summary = JSON.parse(await readFile(`${folder}/summary.json`, "utf8")) as { verdict: string };
    expect(summary.verdict).toBe("unfinished");
    expect(existsSync(`${folder}/runner.lock`)).toBe(false);
  });

  it("refuses a format that would write outside the results", { timeout: 60_000 }, async () => {
    await using project = await projectWith(`
import { plainCase } from "assay/toolbox";
const load = async ({ path, at, root }) => {
  const head = { id: "../../../evil", declaredId: null, kind: "task", format: "odd", at: at(root.start), prompt: { kind: "turns", turns: ["Hi"] } };
  return { path, format: "odd", dialect: "odd", skillName: null, description: null, cases: [plainCase(head)], extras: {} };
};
const recognise = () => ({ dialect: "odd", confidence: "certain" });
export default { formats: [{ name: "odd", recognise, load, write: () => ({ text: "", losses: [] }), schemas: {} }] };`);
    const scripted = ["--harness", "scripted", "--script", "script.json"];
    const ended = await project.assay([...RUN, ...scripted, "--evals", "odd.json"]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.err).toMatch(
      /odd\.json:1:1.*\n?.*the format odd in your configuration failed: cases\[0\]\.id/,
    );
    expect(existsSync(project.path("evil"))).toBe(false);
    expect(existsSync(project.path(".assay"))).toBe(false);
  });
});
