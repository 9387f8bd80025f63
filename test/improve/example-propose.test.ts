import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { expectGolden } from "../support/golden.ts";
import { exampleProject, type ImproveProject } from "../support/improve-kit.ts";
import type { TempTree } from "../support/temp-tree.ts";
import { fixture } from "./example.ts";

interface Example {
  readonly name: string;
  readonly to: string;
  readonly skill: string;
  /** What the example has already, and is taken away first. */
  readonly evals: string;
  readonly written: readonly string[];
  readonly says: readonly string[];
}

const EXAMPLES: readonly Example[] = [
  {
    name: "csv-report",
    to: "skill-creator",
    skill: ".",
    evals: "evals",
    written: [
      "evals/files/sales.csv",
      "evals/files/empty.csv",
      "evals/evals.json",
      "evals/trigger-eval.json",
    ],
    says: [
      "note: dropped from 1, because it passes on an empty run: The file is still there",
      "2 cases with 5 checks, 4 triggers",
    ],
  },
  {
    name: "release-notes",
    to: "clauditor",
    skill: "SKILL.md",
    evals: "SKILL.eval.json",
    written: ["SKILL.eval.json"],
    says: [
      "dropped from 1, because it passes on an empty run: There is an answer",
      "1 case with 3 checks, 2 triggers",
    ],
  },
  {
    name: "conventional-comments",
    to: "skillet",
    skill: ".",
    evals: "evals",
    written: ["evals/001.yaml", "evals/002.yaml"],
    says: ["2 cases with 5 checks, 0 triggers"],
  },
  {
    name: "decision-record",
    to: "bmad",
    skill: "skills/decision-record",
    evals: "evals",
    written: ["evals/decision-record/evals.json", "evals/decision-record/triggers.json"],
    says: ["2 cases with 6 checks, 2 triggers"],
  },
];

const SCRIPT = fixture("propose.model.yaml");

const timeless = async (made: ImproveProject, file: string) =>
  (await made.text(file)).replace(/^timestamp: .*$/m, "");

const without = (evals: string) => (tree: TempTree) => rm(tree.path(evals), { recursive: true });

describe("assay propose on the examples", { timeout: 60_000 }, () => {
  it.each(EXAMPLES)(
    "writes $to evals of $name that load",
    async ({ name, to, skill, evals, written, says }) => {
      await using made = await exampleProject(name, SCRIPT, without(evals));
      const { exitCode, out, err } = await made.assay("propose", skill, "--to", to);
      expect(err).toMatch(
        /^asking claude-\S+ once, twice at most: about [\d,]+ tokens in, up to 8,000 out, at most \$/,
      );
      for (const line of says) expect(err).toContain(line);
      expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${written.join("\n")}\n` });
      await expectGolden(fixture("golden", "propose", name), {
        root: made.root,
        files: written,
        project: made.root,
      });
      const checked = await made.assay("check", skill);
      expect(checked).toMatchObject({ exitCode: 0 });
      const listed = JSON.parse((await made.assay("list", skill, "--json")).out) as unknown;
      expect(JSON.stringify(listed)).toContain(`"${to}"`);
      const again = await made.assay("propose", skill, "--to", to);
      expect(again.exitCode).toBe(2);
      expect(again.err).toContain("already exists");
    },
  );

  it.each(EXAMPLES)(
    "gives the same for $name elsewhere from a recording",
    async ({ name, to, skill, evals, written }) => {
      await using first = await exampleProject(name, SCRIPT, without(evals));
      await using second = await exampleProject(name, SCRIPT, without(evals));
      const tapes = first.path("tapes");
      const call = ["propose", skill, "--to", to, "--cassettes", tapes];
      const recorded = await first.assay(...call, "--record");
      expect(recorded.exitCode).toBe(0);
      await first.sim.close();
      const env = { PATH: "/usr/bin:/bin" };
      expect(await assay([...call, "--replay"], { cwd: second.root, env })).toEqual(recorded);
      for (const file of written) expect(await timeless(second, file)).toBe(await timeless(first, file));
      expect(second.sim.requests).toEqual([]);
    },
  );
});
