import { describe, expect, it } from "vitest";
import { listing } from "../../src/operations/listing.ts";
import { assay } from "../support/command-line.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";

const skill = (name: string, description: string, more = "") =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\nDo it.\n`;

/** So many neighbors with descriptions of 400 characters. */
function neighbors(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, at) => String(at).padStart(3, "0"));
  return Object.fromEntries(
    numbers.map((at) => [`others/other-${at}/SKILL.md`, skill(`other-${at}`, "x".repeat(400))]),
  );
}

describe("assay listing", () => {
  it("says that a skill alone is listed whole, and where nobody knows", async () => {
    await using tree = await tempTree({ "skills/pdf/SKILL.md": skill("pdf", "Makes PDFs.") });
    const { exitCode, out } = await assay(["listing", "skills/pdf"], { cwd: tree.root });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^claude-code \(rule of 2\.1\.325\): 1 % of the context window/);
    expect(out.match(/pdf +whole +11 of 11/g)).toHaveLength(2);
    expect(out).toContain("gemini: No limit is documented");
  });

  it("shows what others leave of a description, by client", async () => {
    await using tree = await tempTree({
      "skills/zip/SKILL.md": skill("zip", "z".repeat(400)),
      ...neighbors(60),
    });
    const options = { targets: ["skills/zip"], beside: ["others"] };
    const [claude, codex] = await listing(options, { machine: machineIn(tree.root) });
    expect(claude).toMatchObject({
      client: "claude-code",
      budget: { limit: 8000, unit: "characters" },
      skills: [{ name: "zip", status: "name only", shown: 0, of: 400 }],
    });
    expect(claude?.others.filter(({ status }) => status === "whole").length).toBeGreaterThan(10);
    expect(codex).toMatchObject({
      client: "codex",
      budget: { limit: 5440, unit: "tokens" },
      skills: [{ name: "zip", status: "shortened", of: 400 }],
    });
    const command = await assay(["listing", "skills/zip", "--beside", "others"], { cwd: tree.root });
    expect(command.exitCode).toBe(1);
    expect(command.out).toContain("beside 60 other skills, ");
    const roomy = await assay(
      ["listing", "skills/zip", "--beside", "others", "--context", "1000000", "--client", "claude-code"],
      { cwd: tree.root },
    );
    expect(roomy.exitCode).toBe(0);
  });

  it("omits the last skills on Codex once not even the names fit", async () => {
    await using tree = await tempTree({ "skills/zip/SKILL.md": skill("zip", "Zips."), ...neighbors(20) });
    const options = {
      targets: ["skills/zip"],
      beside: ["others"],
      clients: ["codex"],
      contextTokens: 10_000,
    };
    const [codex] = await listing(options, { machine: machineIn(tree.root) });
    expect(codex?.skills).toMatchObject([{ status: "omitted", shown: 0, description: null }]);
    expect(codex?.others.some(({ status }) => status === "name only")).toBe(true);
  });

  it("leaves out what its author keeps from models, and says who said so", async () => {
    await using tree = await tempTree({
      "skills/a/SKILL.md": skill("a", "A.", "disable-model-invocation: true\n"),
      "skills/b/SKILL.md": skill("b", "B."),
      "skills/b/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
    });
    const [claude, codex] = await listing({ targets: ["skills"] }, { machine: machineIn(tree.root) });
    expect(claude?.skills).toMatchObject([
      { name: "a", status: "not offered" },
      { name: "b", status: "whole" },
    ]);
    expect(codex?.skills).toMatchObject([
      { name: "a", status: "whole" },
      { name: "b", status: "not offered" },
    ]);
    expect(codex?.skills[1]?.reason).toContain("agents/openai.yaml");
    expect((await assay(["listing", "skills"], { cwd: tree.root })).exitCode).toBe(0);
  });

  it("refuses an unknown client and a folder without skills", async () => {
    await using tree = await tempTree({ "skills/a/SKILL.md": skill("a", "A."), "empty/x.txt": "" });
    const client = await assay(["listing", "skills", "--client", "nobody"], { cwd: tree.root });
    expect(client).toMatchObject({ exitCode: 2, out: "" });
    expect(client.err).toContain("claude-code, codex, gemini");
    const folder = await assay(["listing", "empty"], { cwd: tree.root });
    expect(folder).toMatchObject({ exitCode: 2, out: "" });
    expect(folder.err).toContain("listing/no-skills");
  });
});

describe("a skill that Codex may not take up by itself", () => {
  const PROJECT = {
    "assay.config.json": "{}",
    "skills/b/SKILL.md": skill("b", "Does B."),
    "skills/b/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
    "skills/b/evals/trigger-eval.json": JSON.stringify([
      { query: "please do B", should_trigger: true },
      { query: "please do C", should_trigger: false },
    ]),
  };

  it("has queries that cannot fire on Codex: check says so, and so does a plan for Codex", async () => {
    await using tree = await tempTree(PROJECT);
    const words = "triggers/not-listed-on-codex";
    expect((await assay(["check", "skills/b"], { cwd: tree.root })).out).toContain(words);
    const plan = (agent: string) =>
      assay(["list", "skills/b"], { cwd: tree.root, env: { ASSAY_HARNESS: agent } });
    expect((await plan("codex")).err).toContain(words);
    expect((await plan("claude-code")).err).not.toContain(words);
  });

  it("says nothing where no query should fire, or the file says nothing of it", async () => {
    const file = "skills/b/agents/openai.yaml";
    for (const text of ["policy: {}\n", "interface:\n  display_name: B\n", "not: [valid", "- a list\n"]) {
      await using tree = await tempTree({ ...PROJECT, [file]: text });
      expect((await assay(["check", "skills/b"], { cwd: tree.root })).out).not.toContain(
        "not-listed-on-codex",
      );
    }
    const silent = JSON.stringify([{ query: "please do C", should_trigger: false }]);
    await using tree = await tempTree({ ...PROJECT, "skills/b/evals/trigger-eval.json": silent });
    expect((await assay(["check", "skills/b"], { cwd: tree.root })).out).not.toContain("not-listed-on-codex");
  });
});
