import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { improveProject, type SimRule } from "../support/improve-kit.ts";

const SKILL = `---
name: greeter
description: Greets people by name.
---

Write a greeting with the name into greeting.txt. The token is sk-ant-api03-${"x".repeat(90)}-AAAA.
`;

const EVAL = {
  name: "greets",
  prompt: "Greet Ada in greeting.txt",
  expected_output: "A greeting.",
  files: [{ name: "names.txt", content: "Ada\n" }],
  expectations: ["The greeting is friendly"],
  assay: {
    checks: [
      { type: "file_matches", path: "greeting.txt", pattern: "Ada" },
      { type: "file_exists", path: "names.txt", text: "The names are still there" },
      { type: "file_unchanged", path: "names.txt" },
    ],
  },
};

const TRIGGERS = [
  { query: "greet Ada in writing", should_trigger: true },
  { query: "how do people greet in Japan", should_trigger: false },
];

function proposes(
  evals: readonly object[],
  more: SimRule = {},
  triggers: readonly object[] = TRIGGERS,
): SimRule {
  return { when: { system: "You draft evals" }, reply: { json: { evals, triggers } }, ...more };
}

const FILES = { "skills/greeter/SKILL.md": SKILL };

describe("assay propose", () => {
  it("sends no secrets", async () => {
    await using project = await improveProject(FILES, [proposes([EVAL])]);
    await writeFile(project.path("seen.txt"), `it said not-a-real-key and failed\n`);
    await project.assay("propose", "skills/greeter", "--from", "seen.txt");
    const asked = JSON.stringify(project.sim.requests.map(({ body }) => body));
    expect(asked).toContain("it said [masked] and failed");
    expect(asked).not.toContain("sk-ant-api03");
  });

  it("writes nothing when the second proposal cannot be loaded either", async () => {
    const bad = { ...EVAL, assay: { checks: [{ type: "no_such_check" }] } };
    await using project = await improveProject(FILES, [proposes([bad])]);
    const { exitCode, out, err } = await project.assay("propose", "skills/greeter");
    expect(err).toContain("cannot be loaded, even on the second try:");
    expect(err).toContain("nothing was written");
    expect({ exitCode, out }).toEqual({ exitCode: 3, out: "" });
    expect(project.git("status", "--porcelain")).toBe("");
  });

  it("asks for checks where a case has none", async () => {
    await using project = await improveProject(FILES, [
      proposes([{ name: "bare", prompt: "Greet" }], { times: 1 }),
      proposes([EVAL], {
        when: { system: "You draft evals", anywhere: "the eval bare has neither checks nor" },
      }),
    ]);
    expect((await project.assay("propose", "skills/greeter")).exitCode).toBe(0);
  });

  it.each([
    ["skill-creator", "skills/greeter/evals/trigger-eval.json"],
    ["bmad", "evals/greeter/triggers.json"],
    ["clauditor", "skills/greeter/SKILL.eval.json"],
    ["skillet", "skills/greeter/evals/009.yaml"],
  ])("refuses to overwrite %s evals before anything is asked", async (to, file) => {
    await using project = await improveProject({ ...FILES, [file]: "mine" }, [proposes([EVAL])]);
    const { exitCode, err } = await project.assay("propose", "skills/greeter", "--to", to);
    expect(err).toContain(`${file} already exists`);
    expect(exitCode).toBe(2);
    expect(project.sim.requests).toEqual([]);
    expect(await project.text(file)).toBe("mine");
  });

  it("writes several clauditor specs, which are all found again", async () => {
    const second = { ...EVAL, name: "greets-bob", prompt: "Greet Bob" };
    await using project = await improveProject(FILES, [proposes([EVAL, second])]);
    const { exitCode, out, err } = await project.assay("propose", "skills/greeter", "--to", "clauditor");
    expect(err).not.toContain("error");
    expect(exitCode).toBe(0);
    const specs = out.split("\n").filter((line) => line.endsWith(".eval.json"));
    expect(specs).toHaveLength(2);
    const listed = await project.assay("list", "skills/greeter", "--cases");
    expect(listed.err).not.toContain("error");
    expect(listed.out.match(/greet/gi)?.length).toBeGreaterThan(1);
  });

  it("keeps input files as files, which entries, prompts and checks name", async () => {
    const asked = { ...EVAL, prompt: "Greet everybody in names.txt, not in old-names.txt." };
    const other = { ...EVAL, name: "others", files: [{ name: "names.txt", content: "Bob\n" }] };
    await using project = await improveProject(FILES, [proposes([asked, other])]);
    expect((await project.assay("propose", "skills/greeter")).exitCode).toBe(0);
    const { evals } = JSON.parse(await project.text("skills/greeter/evals/evals.json")) as {
      evals: { files: string[]; prompt: string; assay: { checks: { path: string }[] } }[];
    };
    expect(evals[0]?.files).toEqual(["evals/files/names.txt"]);
    expect(evals[0]?.prompt).toBe("Greet everybody in evals/files/names.txt, not in old-names.txt.");
    expect(evals[0]?.assay.checks.map(({ path }) => path)).toContain("evals/files/names.txt");
    expect(await project.text("skills/greeter/evals/files/names.txt")).toBe("Ada\n");
    expect(await project.text(`skills/greeter/${evals[1]?.files[0]}`)).toBe("Bob\n");
    const checked = await project.assay("check", "skills/greeter");
    expect(checked.out + checked.err).toContain("0 errors, 0 notes");
  });

  it("makes a case of a run that went wrong", async () => {
    await using project = await improveProject(
      {
        ...FILES,
        "skills/greeter/evals/evals.json": JSON.stringify({
          skill_name: "greeter",
          evals: [{ id: 1, prompt: "Greet Bob", assay: { checks: [{ type: "contains", needle: "Bob" }] } }],
        }),
        "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Good day, sir" }] }] }),
      },
      [
        proposes([EVAL], {
          when: {
            system: "You draft evals",
            anywhere: { regex: "Greet Bob[\\s\\S]*failed: [\\s\\S]*Good day, sir" },
          },
        }),
      ],
    );
    const ran = await project.assay(
      "run",
      "skills/greeter",
      "--harness",
      "scripted",
      "--script",
      "script.json",
    );
    expect(ran.exitCode).toBe(1);
    const { exitCode, out, err } = await project.assay(
      "propose",
      "skills/greeter",
      "--from",
      "1/with_skill/run-1",
      "--output",
      "drafts",
    );
    expect(out).toContain("drafts/evals.json");
    expect(err).toContain("1 case with 3 checks");
    expect(exitCode).toBe(0);
    await mkdir(project.path("skills/other"));
    await writeFile(project.path("skills/other/SKILL.md"), SKILL.replace("name: greeter", "name: other"));
    const other = await project.assay("propose", "skills/other", "--from", "1/with_skill/run-1");
    expect(other.err).toContain('1/with_skill/run-1 is a run of "greeter", not of "other"');
    expect(other.exitCode).toBe(2);
  });

  it("refuses what is not there or too long, unasked", async () => {
    await using project = await improveProject(
      { ...FILES, "skills/long/SKILL.md": `---\nname: long\ndescription: x\n---\n${"word ".repeat(50_000)}` },
      [proposes([EVAL])],
    );
    await mkdir(project.path("skills/none"));
    await writeFile(project.path("notes.txt"), "x");
    await writeFile(project.path("empty.txt"), "");
    for (const [args, says] of [
      [["notes.txt"], "there is no skill at notes.txt"],
      [["skills/greeter", "--output", "notes.txt"], "notes.txt is a file, not a directory"],
      [["skills/greeter", "--from", "empty.txt"], "empty.txt is empty"],
      [["skills/none"], "there is no skill at skills/none"],
      [["skills/long"], "at most 50,000 are sent"],
      [["skills/greeter", "--from", "nowhere"], "no results|names no"],
    ] as const) {
      const { exitCode, err } = await project.assay("propose", ...args);
      expect(err).toMatch(new RegExp(says));
      expect(exitCode).toBe(2);
    }
    expect(project.sim.requests).toEqual([]);
  });
});
