import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { assay } from "../support/command-line.ts";
import type { EvalEvent } from "../../src/domain/event.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const RUN = ["run", "skills/forms", "--harness", "scripted", "--script", "script.json"];
const AFFECTED = [...RUN, "--affected"];
const HOME = ".claude/skills/forms";
const usage = { input_tokens: 1000, output_tokens: 10, cost_usd: 0.05 };

/** Three cases: one reads a reference, one calls a script that reads another, one does neither; and a trigger query. */
function formsProject(): Promise<TempTree> {
  const check = (needle: string) => ({ assay: { checks: [{ type: "contains", needle }] } });
  return tempTree({
    "assay.config.json": "{}",
    "skills/forms/SKILL.md": "---\nname: forms\ndescription: Fills forms.\n---\n\nFill the form.\n",
    "skills/forms/references/forms.md": "Form A.\n",
    "skills/forms/references/rules.csv": "a,b\n",
    "skills/forms/scripts/fill.sh": 'cat "$(dirname "$0")/../references/rules.csv"\n',
    "skills/forms/evals/evals.json": JSON.stringify({
      skill_name: "forms",
      evals: [
        { id: 1, prompt: "Read the reference", ...check("done") },
        { id: 2, prompt: "Call the script", ...check("done") },
        { id: 3, prompt: "Just answer", ...check("done") },
      ],
    }),
    "skills/forms/evals/trigger-eval.json": JSON.stringify([{ query: "Fill my form", should_trigger: true }]),
    "script.json": JSON.stringify({
      replies: [
        {
          when: { prompt: "Read the reference" },
          steps: [{ read: `${HOME}/references/forms.md` }, { usage }, { text: "done" }],
        },
        {
          when: { prompt: "Call the script" },
          steps: [{ bash: `cd ${HOME} && sh scripts/fill.sh` }, { usage }, { text: "done" }],
        },
        { when: { prompt: "Just answer" }, steps: [{ usage }, { text: "done" }] },
        { steps: [{ skill: true }, { text: "done" }] },
      ],
    }),
  });
}

interface Made {
  readonly caseId: string;
  readonly reusedFrom: string | null;
}

/** By case: whether the run was made in this iteration. */
async function madeIn(root: string, iteration: number): Promise<Readonly<Record<string, boolean>>> {
  const path = `${root}/.assay/forms/iteration-${iteration}/journal.jsonl`;
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line) as EvalEvent);
  const made = events.flatMap((event): Made[] =>
    event.kind === "trial-finished" ? [{ caseId: event.trial.caseId, reusedFrom: event.run.reusedFrom }] : [],
  );
  return Object.fromEntries(made.map(({ caseId, reusedFrom }) => [caseId, reusedFrom === null]));
}

const TASKS = ["--mode", "artifact"];

async function afterChange(path: string, text: string, args: readonly string[] = TASKS) {
  const project = await formsProject();
  const at = { cwd: project.root };
  const first = await assay([...RUN, ...args], at);
  expect(first.exitCode).toBe(0);
  await writeFile(project.path(path), text);
  const { err, out, exitCode } = await assay([...AFFECTED, ...args], at);
  return { project, err, out, exitCode, made: await madeIn(project.root, 2) };
}

describe("--affected", () => {
  it("runs only the cases that read a changed reference, and reports on all of them", async () => {
    const { project, err, out, exitCode, made } = await afterChange(
      "skills/forms/references/forms.md",
      "Form B.\n",
    );
    await using _ = project;
    expect(made).toEqual({ "1": true, "2": false, "3": false });
    expect(err).toContain("forms: running 1 case (1): references/forms.md changed");
    expect(err).toContain("forms: skipped 2 cases: references/forms.md was not read by them in iteration-1");
    expect(out).toContain("3 of 3 trials counted");
    expect(out).toContain("reused 2 runs, saved about $0.10");
    expect(exitCode).toBe(0);
    const path = project.path(".assay/forms/iteration-2/summary.json");
    const { spending } = JSON.parse(await readFile(path, "utf8")) as Summary;
    expect(spending.made).toMatchObject({ attempts: 1, usage: { costUsd: 0.05 } });
  });

  it("follows a script to what it reads", async () => {
    const { project, made } = await afterChange("skills/forms/references/rules.csv", "c,d\n");
    await using _ = project;
    expect(made).toEqual({ "1": false, "2": true, "3": false });
  });

  it("runs everything when the body of SKILL.md changed", async () => {
    const { project, made, err } = await afterChange(
      "skills/forms/SKILL.md",
      "---\nname: forms\ndescription: Fills forms.\n---\n\nFill the form twice.\n",
    );
    await using _ = project;
    expect(made).toEqual({ "1": true, "2": true, "3": true });
    expect(err).not.toContain("skipped");
  });

  it("runs only trigger queries when the description changed", async () => {
    const { project, made, err } = await afterChange(
      "skills/forms/SKILL.md",
      "---\nname: forms\ndescription: Fills all forms.\n---\n\nFill the form.\n",
      ["--runs", "1"],
    );
    await using _ = project;
    expect(Object.entries(made).filter(([, isMade]) => !isMade)).toEqual([
      ["1", false],
      ["2", false],
      ["3", false],
    ]);
    expect(Object.values(made).some(Boolean)).toBe(true);
    expect(err).toContain(
      "skipped 3 cases: description in SKILL.md changed, which only affects whether the skill fires",
    );
  });

  it("runs only the case whose prompt changed, and grades anew where only checks did", async () => {
    await using project = await formsProject();
    const at = { cwd: project.root };
    await assay([...RUN, ...TASKS], at);
    const path = project.path("skills/forms/evals/evals.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"done"', '"never said"'));
    const graded = await assay([...AFFECTED, ...TASKS], at);
    expect(await madeIn(project.root, 2)).toEqual({ "1": false, "2": false, "3": false });
    expect(graded.err).toContain("skipped 3 cases: nothing that touches them changed since iteration-1");
    expect([graded.exitCode, graded.out]).toEqual([1, expect.stringContaining("nothing spent")]);
    await writeFile(path, text.replace("Just answer", "Just answer again"));
    const asked = await assay([...AFFECTED, ...TASKS], at);
    expect(await madeIn(project.root, 3)).toEqual({ "1": false, "2": false, "3": true });
    expect(asked.err).toContain(
      "running 1 case (3): skills/forms/evals/evals.json: prompt of case 3 changed",
    );
    expect(asked.exitCode).toBe(0);
  });

  it("runs everything where there is nothing to compare with", async () => {
    await using project = await formsProject();
    const { err, exitCode } = await assay([...AFFECTED, ...TASKS], { cwd: project.root });
    expect([exitCode, err]).toEqual([
      0,
      expect.stringContaining("forms: no earlier iteration has a run that counts, so everything runs"),
    ]);
  });

  it("looks past an iteration in which nothing counted", async () => {
    await using project = await formsProject();
    const at = { cwd: project.root };
    await assay([...RUN, ...TASKS], at);
    await leftOut(project, "everything");
    expect((await assay([...RUN, ...TASKS], at)).exitCode).toBe(3);
    await leftOut(project, "nothing");
    await writeFile(project.path("skills/forms/references/forms.md"), "Form B.\n");
    const { err, out } = await assay([...AFFECTED, ...TASKS], at);
    expect(err).toContain("forms: running 1 case (1): references/forms.md changed");
    expect(err).toContain("references/forms.md was not read by them in iteration-1");
    expect(await madeIn(project.root, 3)).toEqual({ "1": true, "2": false, "3": false });
    expect(out).toContain("3 of 3 trials counted");
  });

  it("takes each case from the newest iteration in which it counted", async () => {
    await using project = await formsProject();
    const at = { cwd: project.root };
    await assay([...RUN, ...TASKS], at);
    await assay([...RUN, ...TASKS, "--case", "1,2"], at);
    const { err, out } = await assay([...AFFECTED, ...TASKS], at);
    expect(await madeIn(project.root, 3)).toEqual({ "1": false, "2": false, "3": false });
    expect(err).toContain("skipped 2 cases: nothing that touches them changed since iteration-2");
    expect(err).toContain("skipped 1 case: nothing that touches it changed since iteration-1");
    expect(out).toContain("3 of 3 trials counted");
  });

  it("says so where earlier iterations hold nothing that counts", async () => {
    await using project = await formsProject();
    const at = { cwd: project.root };
    await leftOut(project, "everything");
    await assay([...RUN, ...TASKS], at);
    await leftOut(project, "nothing");
    const { err, out } = await assay([...AFFECTED, ...TASKS], at);
    expect(err).toContain("forms: no earlier iteration has a run that counts, so everything runs");
    expect(err).not.toContain("running 3 cases");
    expect(out).toContain("3 of 3 trials counted");
  });

  it("is refused with --resume: one starts a new iteration, the other continues the last", async () => {
    await using project = await formsProject();
    const { err, exitCode } = await assay([...AFFECTED, ...TASKS, "--resume"], { cwd: project.root });
    expect([exitCode, err]).toEqual([2, expect.stringContaining("--affected and --resume")]);
    await expect(readFile(project.path(".assay/forms/iteration-1/run.json"))).rejects.toThrow("ENOENT");
  });
});

/** From now on the service refuses everything, or nothing again. */
async function leftOut(project: TempTree, what: "everything" | "nothing"): Promise<void> {
  const path = project.path("script.json");
  const { replies } = JSON.parse(await readFile(path, "utf8")) as { replies: { refused?: true }[] };
  const refused = { refused: true, steps: [{ fail: { reason: "auth", message: "not logged in" } }] };
  const others = replies.filter((reply) => reply.refused !== true);
  await writeFile(path, JSON.stringify({ replies: what === "nothing" ? others : [refused, ...others] }));
}
