import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const RULES = "AGENTS-RULES: answer in one line.";
const RUN = ".assay/pdf/iteration-1/eval-pdf/with_skill/run-1";

describe("a system prompt", () => {
  it.each([
    ["AGENTS.md", { "AGENTS.md": `${RULES}\n` }, {}, "AGENTS.md"],
    ["the eval file", {}, { system_prompt: RULES }, "the eval file's system_prompt"],
  ])("from %s is added to the invocation, and the run says so", async (_, files, fields, shown) => {
    await using project = await pdfProject(files, fields);
    const run = await project.assay("run", "pdf", "--harness", "builtin");
    expect(run).toMatchObject({ exitCode: 0 });
    const asked = JSON.stringify(project.sim.requests.map(({ body }) => body));
    expect(asked).toContain(RULES);
    expect(asked).toContain("Read the PDF, then ");
    expect(asked).toContain("ARGUMENTS: Ada");
    const { out } = await project.assay("show", "pdf/pdf");
    expect(out).toContain(`system prompt: ${shown}`);
    expect(out).toContain("Read the PDF, then say who wrote it.");
    const metadata = await project.json<{ prompt: string }>(`${RUN}/../eval_metadata.json`);
    expect(metadata.prompt).toContain("Read the PDF, then ");
    expect(await readFile(project.path(`${RUN}/transcript.md`), "utf8")).toContain("Read the PDF, then ");
  });

  it("is the skill's own text where there is no other", async () => {
    await using project = await pdfProject({}, {});
    await project.assay("run", "pdf", "--harness", "builtin");
    const { out } = await project.assay("show", "pdf/pdf");
    expect(out).toContain("system prompt: the skill's own text");
  });
});

async function pdfProject(files: Readonly<Record<string, string>>, fields: object) {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDFs.\n---\n\nRead the PDF, then say who wrote it.\n",
    "pdf/SKILL.eval.json": JSON.stringify({
      skill_name: "pdf",
      test_args: "Ada",
      assertions: [{ id: "ada", type: "contains", needle: "Ada" }],
      ...fields,
    }),
    ...files,
  });
  return simProject(tree, await startSim(parseScript("rules:\n  - reply: It was Ada.")));
}
