import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problems, CASE, PLACES, load, evals, roundTrip } from "./fixtures/load.ts";

describe("recognise", () => {
  it("names the shapes of other BMad tools", async () => {
    const selection = { workflow: "w", cases: [{ id: "a", prompt: "p", expect: {}, assertions: [] }] };
    const interview = { name: "n", evals: [{ id: "a", initial_input: "x", success_criteria: ["y"] }] };
    expect(await problems(selection)).toEqual([expect.stringContaining("fragment-selection shape")]);
    expect(await problems(interview)).toEqual([expect.stringContaining("simulated person")]);
  });

  const trigger = { query: "x", should_trigger: true };
  it.each<[string, unknown, string, unknown]>([
    ["evals", evals({}), PLACES.evals, { dialect: "evals", confidence: "likely" }],
    ["no evals yet", { evals: [] }, PLACES.evals, { dialect: "evals", confidence: "likely" }],
    ["cases", { cases: [CASE] }, PLACES.cases, { dialect: "cases", confidence: "certain" }],
    ["a list of cases", [CASE], PLACES.cases, { dialect: "cases", confidence: "certain" }],
    ["triggers", [trigger], PLACES.triggers, { dialect: "triggers", confidence: "certain" }],
    ["triggers of another name", [trigger], "/x/trigger-eval.json", null],
    ["triggers with prompts", [{ prompt: "x", should_trigger: true }], PLACES.triggers, null],
    ["a wrapped trigger set", { cases: [trigger] }, PLACES.triggers, null],
    ["an object of triggers", { should_trigger: ["x"] }, PLACES.triggers, null],
    ["evals of another kind", { evals: [{ task: "x" }] }, PLACES.evals, null],
    ["something else", { name: "x" }, "/x/package.json", null],
    ["a list of strings", ["x"], "/x/a.json", null],
    ["a scalar", 3, "/x/a.json", null],
  ])("%s", async (_, content, path, expected) => {
    expect((await load(content, { path })).recognised).toEqual(expected);
  });
});

describe("on disk", () => {
  let root = "";
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "bmad-load-"));
    const paths = ["evals/brief/setup/a", "evals/brief/C1/setup/b", "evals/brief/files/n.md", "docs/n.md"];
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), "x");
    }
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it("finds overlays and fixtures, and round-trips", async () => {
    const around = { path: join(root, "evals/brief/evals.json"), projectRoot: root };
    const content = evals({ files: ["./docs/n.md", "files/n.md", "gone.md"] }, { id: "C1" });
    const { file } = await load(content, around);
    const evalsDirectory = join(root, "evals/brief");
    expect(file?.cases.map(({ overlays }) => overlays)).toEqual([
      [join(evalsDirectory, "setup")],
      [join(evalsDirectory, "setup"), join(evalsDirectory, "C1/setup")],
    ]);
    expect(file?.cases[0]?.files).toMatchObject([
      { declared: "./docs/n.md", target: "docs/n.md", source: join(root, "docs/n.md"), problem: null },
      { declared: "files/n.md", target: "files/n.md", source: join(evalsDirectory, "files/n.md") },
      { declared: "gone.md", source: null, problem: expect.stringContaining("neither") },
    ]);
    const { before, after } = await roundTrip(JSON.stringify(content), around);
    expect(after).toEqual(before);
  });
});
