import { readFile, symlink, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { TriggerSetsPage } from "../../src/domain/pages.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { tempTree } from "../support/temp-tree.ts";
import { FIRE_CANARY, run, SHOULD, SHOULD_NOT, triggerProject } from "../support/trigger-project.ts";
import { visit } from "./kit.ts";

const AT = { skill: "greeter", n: 1 };
const FILE = "skills/greeter/evals/trigger-eval.json";
const ARMS = `${FIRE_CANARY}\n*greet*) fire greeter ;;`;

async function asked(queries: readonly object[]) {
  const project = await triggerProject({ queries, arms: ARMS });
  await run(project);
  return project;
}

it(
  "saves queries into the file they come from, under the keys that its author used",
  { timeout: 60_000 },
  async () => {
    await using project = await asked([
      { prompt: "please greet Ada", should_fire: true, note: "mine" },
      { prompt: "please add two numbers", should_fire: false },
    ]);
    await using visitor = await visit(project.root);
    const { sets } = await visitor.page<TriggerSetsPage>(request.triggerSets(AT));
    expect(sets).toMatchObject([
      {
        file: FILE,
        format: "skill-creator",
        problem: null,
        queries: [
          { query: "please greet Ada", shouldTrigger: true },
          { query: "please add two numbers", shouldTrigger: false },
        ],
      },
    ]);
    const [first, second] = sets[0]?.queries ?? [];
    const edit = {
      file: FILE,
      digest: sets[0]?.digest,
      queries: [
        { ...first, query: "greet Ada, please" },
        { ...second, shouldTrigger: true },
        { id: null, query: "count to ten", shouldTrigger: false },
      ],
    };
    const saved = await visitor.post<TriggerSetsPage>(request.triggerSets(AT), edit);
    expect(saved.sets[0]?.queries.map(({ query, shouldTrigger }) => [query, shouldTrigger])).toEqual([
      ["greet Ada, please", true],
      ["please add two numbers", true],
      ["count to ten", false],
    ]);
    expect(JSON.parse(await readFile(project.path(FILE), "utf8"))).toEqual([
      { prompt: "greet Ada, please", should_fire: true, note: "mine" },
      { prompt: "please add two numbers", should_fire: true },
      { prompt: "count to ten", should_fire: false },
    ]);
    // The page was read before that.
    await expect(visitor.post(request.triggerSets(AT), edit)).rejects.toThrow("changed by somebody else");
  },
);

it("keeps lists whose names are the labels, and an author's indent", { timeout: 60_000 }, async () => {
  await using project = await asked([SHOULD, SHOULD_NOT]);
  const lists = { should_trigger: ["please greet Ada"], should_not_trigger: ["please add two numbers"] };
  await writeFile(project.path(FILE), `${JSON.stringify(lists, null, "\t")}\n`);
  await using visitor = await visit(project.root);
  const { sets } = await visitor.page<TriggerSetsPage>(request.triggerSets(AT));
  const [first, second] = sets[0]?.queries ?? [];
  await visitor.post(request.triggerSets(AT), {
    file: FILE,
    digest: sets[0]?.digest,
    queries: [first, second, { id: null, query: "count to ten", shouldTrigger: false }],
  });
  const more = { ...lists, should_not_trigger: ["please add two numbers", "count to ten"] };
  expect(await readFile(project.path(FILE), "utf8")).toBe(`${JSON.stringify(more, null, "\t")}\n`);
});

it(
  "writes to nothing but the eval files of a project of one's own, and nothing that is no query",
  { timeout: 60_000 },
  async () => {
    await using project = await asked([SHOULD, SHOULD_NOT]);
    const before = await readFile(project.path(FILE), "utf8");
    await using visitor = await visit(project.root);
    const { sets } = await visitor.page<TriggerSetsPage>(request.triggerSets(AT));
    const [set] = sets;
    const refused: readonly [object, string][] = [
      [{ ...set, file: "assay.config.json" }, "404"],
      [{ ...set, queries: [] }, "400"],
      [{ ...set, queries: [{ id: null, query: " ", shouldTrigger: true }] }, "400"],
      [{ ...set, digest: "another" }, "changed by somebody else"],
    ];
    for (const [edit, why] of refused)
      await expect(visitor.post(request.triggerSets(AT), edit)).rejects.toThrow(why);
    expect(await readFile(project.path(FILE), "utf8")).toBe(before);

    await using elsewhere = await tempTree({ "assay.config.json": "{}" });
    await symlink(project.path(".assay"), elsewhere.path("results"));
    await using stranger = await visit(elsewhere.root, { folder: "results" });
    const [seen] = (await stranger.page<TriggerSetsPage>(request.triggerSets(AT))).sets;
    expect(seen?.problem).toContain("is not in this project");
    await expect(stranger.post(request.triggerSets(AT), { ...seen })).rejects.toThrow("not in this project");
  },
);
