import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

const EVAL = { prompt: "Run headless. Write a brief about tea.", expectations: ["brief.md exists"] };
const SKILL = "---\nname: brief\ndescription: Writes product briefs.\n---\n\nWrite a brief.\n";

it("check notes integer ids and overlays of evals that there are not", async () => {
  await using project = await bmadProject({ "evals/brief/A9/setup/note.md": "x" });
  const { exitCode, out } = await assay(["check", "skills/brief"], { cwd: project.root });
  expect(exitCode).toBe(0);
  expect(out).toContain("ids are strings in BMad's format, and these are integers: 2, 3");
  expect(out).toContain("the overlay A9/setup matches no eval in this file");
  expect(out).toContain('did you mean "A1"?');
});

it("list counts the runs of the canary with those of the queries", async () => {
  await using project = await bmadProject({
    "evals/brief/triggers.json": JSON.stringify([{ query: "Write me a brief", should_trigger: true }]),
    "script.json": JSON.stringify({ replies: [{ steps: [{ text: "No" }] }] }),
  });
  const here = { cwd: project.root };
  const { out } = await assay(["list", "skills/brief", "--mode", "trigger", "--json"], here);
  const [{ plans = [] } = {}] = JSON.parse(out) as { plans?: { estimate: { runs: number } }[] }[];
  const scripted = ["--harness", "scripted", "--script", "script.json", "--max-runs", "3"];
  const run = await assay(["run", "skills/brief", "--mode", "trigger", ...scripted], here);
  expect(plans[0]?.estimate.runs).toBeGreaterThan(3);
  expect(`${run.out}${run.err}`).toContain(`${plans[0]?.estimate.runs} trials`);
});

function bmadProject(files: Readonly<Record<string, string>>) {
  return tempTree({
    "assay.config.json": "{}",
    "skills/brief/SKILL.md": SKILL,
    "evals/brief/evals.json": JSON.stringify({
      evals: [
        { id: "A1", ...EVAL },
        { id: 2, ...EVAL },
        { id: 3, ...EVAL },
      ],
    }),
    "evals/brief/A1/setup/note.md": "x",
    ...files,
  });
}
