import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadText } from "./testing.ts";
import { SKILL, cases, evalsOf } from "./fixtures/evals.ts";

describe("the assay key", () => {
  it("adds checks of the file and of the eval, and the rest", async () => {
    const [first, second] = await cases({
      assay: { checks: [{ type: "no_denied_tools" }] },
      evals: [
        {
          id: 1,
          prompt: "P",
          expectations: ["a"],
          assay: {
            checks: [{ type: "file_exists", path: "out.md" }],
            with_only: ["expectation-1"],
            reference: { output: "done" },
            mcp_servers: { x: { command: "y" } },
          },
        },
        { id: 2, prompt: "P" },
      ],
    });
    expect(first?.checks.map(({ id, appliesTo }) => [id, appliesTo])).toEqual([
      ["expectation-1", "with-skill"],
      ["no_denied_tools", "every-variant"],
      ["file_exists:out.md", "every-variant"],
    ]);
    expect(first).toMatchObject({ reference: { output: "done" }, mcpServers: { x: { command: "y" } } });
    expect(second?.checks.map(({ id }) => id)).toEqual(["no_denied_tools"]);
  });
});

describe("files", () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "assay-files-"));
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  function put(...paths: string[]): void {
    for (const path of paths) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), path);
    }
  }

  async function locate(files: unknown[]) {
    const root = join(project, "skills/pdf");
    const path = join(root, "evals/evals.json");
    put("skills/pdf/evals/evals.json");
    const { file, notes, errors } = await loadText(
      JSON.stringify(evalsOf({ id: 1, prompt: "P", expectations: ["a"], files })),
      {
        path,
        skill: { ...SKILL, root, file: join(root, "SKILL.md") },
        projectRoot: project,
      },
    );
    expect(errors).toEqual([]);
    return { files: file?.cases[0]?.files ?? [], notes };
  }

  it.each([
    ["the skill", "skills/pdf/evals/files/a.txt", "evals/files/a.txt"],
    ["the evals directory", "skills/pdf/evals/files/a.txt", "files/a.txt"],
    ["its files directory", "skills/pdf/evals/files/a.txt", "a.txt"],
    ["the project", "data/a.txt", "./data//a.txt"],
  ])("are found in %s", async (_, place, declared) => {
    put(place);
    const { files, notes } = await locate([declared]);
    expect(files).toEqual([
      {
        kind: "path",
        declared,
        source: join(project, place),
        target: declared.replace("./", "").replace("//", "/"),
        problem: null,
      },
    ]);
    expect(notes).toEqual([]);
  });

  it("of the skill win, and another place is told", async () => {
    put("skills/pdf/a.txt", "a.txt");
    const { files, notes } = await locate(["a.txt"]);
    expect(files).toMatchObject([{ source: join(project, "skills/pdf/a.txt") }]);
    expect(notes).toEqual([
      `the file "a.txt" is in several places: ${join(project, "skills/pdf/a.txt")} is used, not ${join(project, "a.txt")}`,
    ]);
  });

  it.each([
    ["gone.txt", "gone.txt", "does not exist"],
    ["data/*.csv", "data/*.csv", "does not exist"],
    ["/etc/hostname", "hostname", "is absolute, so other machines do not have it"],
    ["C:\\data\\a.csv", "a.csv", "is absolute, so other machines do not have it"],
    ["~/a.csv", "a.csv", "starts in a home directory, so other machines do not have it"],
    ["evals", "evals", "contains the eval file itself"],
    ["evals/evals.json", "evals/evals.json", "contains the eval file itself"],
  ])("%s is a note now and a problem of the case", async (declared, target, problem) => {
    const { files, notes } = await locate([declared]);
    expect(files).toEqual([{ kind: "path", declared, source: null, target, problem }]);
    expect(notes).toEqual([`the file ${JSON.stringify(declared)} ${problem}`]);
  });

  it("behind a link out of the project cannot be staged, and a loop of links is no file", async () => {
    put("skills/pdf/SKILL.md");
    symlinkSync(tmpdir(), join(project, "skills/pdf/out"));
    symlinkSync("loop", join(project, "skills/pdf/loop"));
    const { files } = await locate(["out", "loop"]);
    expect(files).toMatchObject([
      { source: null, problem: "is a link to a place outside the project" },
      { source: null, problem: "does not exist" },
    ]);
  });

  it("may be inline", async () => {
    const { files } = await locate([{ name: "./in/a.csv", content: "x,y\n" }]);
    expect(files).toEqual([{ kind: "inline", target: "in/a.csv", content: "x,y\n" }]);
  });
});
