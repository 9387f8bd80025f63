import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const RUN = ".assay/reports/iteration-1/eval-001-reports/without_skill/run-1";

describe("setup and teardown", () => {
  it("stand before and after what is seen of the agent's work", async () => {
    await using project = await skillet({
      setup: "mkdir in; echo one > in/given.txt; echo old > in/gone.txt; echo same > kept.txt",
      teardown: "rm -rf report.md in",
      agent: "cat in/given.txt > report.md; echo two >> in/given.txt; rm in/gone.txt",
    });
    await project.run();
    const files = JSON.parse(await readFile(project.path(`${RUN}/outputs/metrics.json`), "utf8")) as unknown;
    expect(files).toMatchObject({ files_created: ["report.md"], files_modified: ["in/given.txt"] });
    const { out } = await project.assay("show", "reports/001");
    expect(out).toContain("created report.md");
    expect(out).toContain("deleted in/gone.txt");
    expect(out).not.toContain("kept.txt");
    expect(out).toContain("+two");
    const asked = JSON.stringify(project.sim.requests.map(({ body }) => body));
    expect(asked).toContain("report.md");
    expect(asked).toContain('\\"in/given.txt\\" before the run changed it');
  });

  it("of which the second fails are told on the terminal, and change no verdict", async () => {
    await using project = await skillet({ setup: "true", teardown: "exit 3", agent: "echo x > report.md" });
    const { exitCode, out, err } = await project.run();
    expect(`${out}${err}`).toContain("the teardown script ended with exit code 3");
    expect(exitCode).toBe(0);
  });
});

async function skillet({ setup, teardown, agent }: { setup: string; teardown: string; agent: string }) {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "reports/001.yaml": [
      "timestamp: 2025-01-15T10:30:00Z",
      "name: reports",
      "prompt: Write the report",
      "expected: Should write a report that says one.",
      `setup: ${JSON.stringify(setup)}`,
      `teardown: ${JSON.stringify(teardown)}`,
      "",
    ].join("\n"),
    "script.json": JSON.stringify({ replies: [{ steps: [{ bash: agent }, { text: "Done" }] }] }),
  });
  const verdicts = [{ criterion: "report", passed: true, quote: "Done", source: "output" }];
  const rules = [{ when: { system: "You grade one run" }, reply: { verdicts } }];
  const project = simProject(tree, await startSim(parseScript(JSON.stringify({ rules }))));
  return {
    ...project,
    run: () => project.assay("run", "reports", "--harness", "scripted", "--script", "script.json", "--trust"),
  };
}
