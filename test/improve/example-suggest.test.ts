import { cp, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { expectGolden } from "../support/golden.ts";
import { exampleProject, type SimRule } from "../support/improve-kit.ts";
import { DECISION_ROUNDS, fixture } from "./example.ts";

const { script, skill } = DECISION_ROUNDS;
const RUN = ["run", "skills/decision-record", "--harness", "builtin", "--mode", "artifact"];
const SUGGEST = ["improve", "skills/decision-record", "--suggest"];
const OFFLINE = { PATH: "/usr/bin:/bin" };

describe("assay improve --suggest on an example", () => {
  it("prints a diff that git apply accepts in the project's root, and writes nothing", async () => {
    await using made = await exampleProject("decision-record", script);
    expect((await made.assay(...RUN)).exitCode).toBe(1);
    const before = await made.text(skill);
    const { exitCode, out, err } = await made.assay(...SUGGEST);
    expect(err).toMatch(/^claude-\S+ \(anthropic\) proposes edits\n2 failing checks in iteration-1: /);
    expect(exitCode).toBe(0);
    expect(await made.text(skill)).toBe(before);
    await writeFile(made.path(".assay/suggested.diff"), out);
    made.git("apply", ".assay/suggested.diff");
    await cp(made.path(skill), made.path(".assay/SKILL.md"));
    await expectGolden(fixture("golden", "suggest"), {
      root: made.path(".assay"),
      files: ["suggested.diff", "SKILL.md"],
      project: made.root,
    });
    expect(made.git("status", "--porcelain").trim()).toBe(`M ${skill}`);
  });

  it("gives the same elsewhere from a recording, without a model service", async () => {
    await using first = await exampleProject("decision-record", script);
    await using second = await exampleProject("decision-record", script);
    const tapes = ["--cassettes", first.path(".assay/tapes")];
    await first.assay(...RUN, ...tapes, "--record");
    const recorded = await first.assay(...SUGGEST, ...tapes, "--record");
    expect(recorded.exitCode).toBe(0);
    await first.sim.close();
    const replay = (args: readonly string[]) =>
      assay([...args, ...tapes, "--replay"], { cwd: second.root, env: OFFLINE });
    expect((await replay(RUN)).exitCode).toBe(1);
    expect(await replay(SUGGEST)).toEqual(recorded);
    expect(second.sim.requests).toEqual([]);
  });
});

const DRAFT: SimRule = {
  when: { system: "You write the first version" },
  reply: {
    json: {
      description: "Does what the examples show: carefully, and as the team wants it.",
      body: "# A first version\n\nDo what is asked, and say what is missing.\n",
    },
  },
};

describe("assay improve --from-evals on the examples", () => {
  it.each([
    ["csv-report", "evals/evals.json", "SKILL.md", "in orders.csv"],
    ["release-notes", "SKILL.eval.json", "SKILL.md", "2.4.0 from commits.txt"],
    ["conventional-comments", "evals", "SKILL.md", "prices may be empty"],
    ["decision-record", "evals/decision-record", "skills", "Record our decision about caching"],
  ])("drafts a skill from the evals of %s", async (name, evals, gone, shown) => {
    const made = await exampleProject(name, [DRAFT], (tree) => rm(tree.path(gone), { recursive: true }));
    await using _made = made;
    const target = `skills/${name}`;
    const { exitCode, out, err } = await made.assay(
      "improve",
      target,
      "--from-evals",
      evals,
      "--seed",
      "2",
      "--apply",
    );
    expect(err).toContain(`wrote ${target}/SKILL.md`);
    expect(exitCode).toBe(0);
    expect(JSON.stringify(made.sim.requests[0]?.body)).toContain(shown);
    expect(await made.text(`${target}/SKILL.md`)).toBe(`---
name: ${name}
description: "Does what the examples show: carefully, and as the team wants it."
---

# A first version

Do what is asked, and say what is missing.
`);
    await rm(made.path(target), { recursive: true });
    await writeFile(made.path(".assay.diff"), out);
    made.git("apply", ".assay.diff");
    expect((await made.assay("check", target)).exitCode).toBe(0);
  });
});
