import { describe, expect, it } from "vitest";
import { assay, type CommandOutcome } from "../support/command-line.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const SKILL = (name: string) => `---\nname: ${name}\ndescription: Greets people.\n---\n\nGreet.\n`;

/** Two skills; of the first, Bob's case fails, and the agent rewrites a file that was there. */
async function project(): Promise<TempTree> {
  const evals = (skill: string, names: readonly string[]) =>
    JSON.stringify({
      skill_name: skill,
      evals: names.map((name) => ({
        id: name,
        name: `greets ${name}`,
        prompt: `Greet ${name}`,
        files: ["evals/files/list.txt"],
        assay: { checks: [{ type: "contains", needle: "Hello" }] },
      })),
    });
  return tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": SKILL("greeter"),
    "skills/greeter/evals/evals.json": evals("greeter", ["ada", "bob", "cyd"]),
    "skills/greeter/evals/files/list.txt": "Ada\nBob\n",
    "skills/other/SKILL.md": SKILL("other"),
    "skills/other/evals/evals.json": evals("other", ["eve"]),
    "skills/other/evals/files/list.txt": "Eve\n",
    "script.json": JSON.stringify({
      replies: [
        {
          when: { prompt: "bob" },
          steps: [{ write: { path: "evals/files/list.txt", content: "Ada\nRobert\n" } }, { text: "Bye" }],
        },
        { steps: [{ text: "Hello" }] },
      ],
    }),
  });
}

const RUN = ["--harness", "scripted", "--script", "script.json"];

describe("assay show", { timeout: 120_000 }, () => {
  it("prints the last report again, word for word, and the runs and changes behind it", async () => {
    await using tree = await project();
    const show = (...words: string[]) => assay(["show", ...words], { cwd: tree.root });
    expect((await show()).err).toMatch(/there are no results in .*\n  hint: assay run makes the first/);
    const ran = await assay(["run", "skills/greeter", ...RUN, "--runs", "2"], { cwd: tree.root });
    expect(await show()).toEqual({ exitCode: 0, out: ran.out, err: "" });
    expect(JSON.parse((await show("--json")).out)).toMatchObject({
      iterations: [{ suite: "greeter", verdict: "failed" }],
    });
    for (const name of ["bob", "greets bob", "2"])
      expect([name, headOf(await show(name))]).toEqual([name, BOB]);
    expect((await show("4")).err).toContain('there is no run "4"');
    const next = /^ {2}Next: assay (.*)$/m.exec(ran.out)?.[1] ?? "";
    const shown = await assay(next.split(" "), { cwd: tree.root });
    expect(shown.out).toContain('failed the output contains "Hello"');
    expect(shown.out).toMatch(/^ {2}-Bob\n {2}\+Robert$/m);
    const failed = await show("--failed");
    expect(failed.out.match(/^greeter iteration-1, .*$/gm)).toEqual([BOB, BOB.replace("run-1", "run-2")]);
  });

  it("prints the reports of all skills of one call, with their total", async () => {
    await using tree = await project();
    const ran = await assay(["run", ".", ...RUN], { cwd: tree.root });
    const shown = await assay(["show"], { cwd: tree.root });
    expect(shown.out).toContain("total: 2 skills: 1 passed, 1 FAILED");
    expect(shown.out).toBe(ran.out);
    expect((await assay(["show", "--failed", "other"], { cwd: tree.root })).out).toBe("every run passed\n");
  });

  it("is short for a coding agent: the verdict, what failed and what to do; no progress", async () => {
    await using tree = await project();
    const { out, err } = await assay(["run", "skills/greeter", ...RUN], {
      cwd: tree.root,
      env: { CLAUDECODE: "1" },
    });
    expect(err).toBe("");
    const lines = out.trim().split("\n");
    expect(lines[0]).toBe("greeter: FAILED: 1 of 3 cases");
    expect(lines.at(-1)).toBe("  Next: assay show bob");
    expect(out).toContain('    x the output contains "Hello"');
    expect(out).not.toContain("ada");
  });
});

const BOB = "greeter iteration-1, bob/with_skill/run-1: completed";

function headOf({ out, err }: CommandOutcome): string {
  return out === "" ? err : (out.split("\n")[0] ?? "");
}
