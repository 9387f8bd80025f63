import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const OTHER = {
  "skills/farewell/SKILL.md": "---\nname: farewell\ndescription: Says goodbye.\n---\n\nSay goodbye.\n",
  "skills/farewell/evals/evals.json": JSON.stringify({
    skill_name: "farewell",
    evals: [
      { id: 1, prompt: "Greet Bob", assay: { checks: [{ type: "contains", needle: "Done" }] } },
      { id: 2, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Goodbye" }] } },
    ],
  }),
};

/** Two skills; the newest iteration is farewell's, whose second case fails. */
async function twoSkills() {
  const project = await greeterProject(GOOD_REPLIES, OTHER);
  await assay(RUN, { cwd: project.root });
  await assay(["run", "skills/farewell", ...RUN.slice(2)], { cwd: project.root });
  return project;
}

it("finds a run by every name a report or a person has for it", async () => {
  await using project = await twoSkills();
  const headOf = async (name: string) => {
    const { out, err } = await assay(["show", name], { cwd: project.root });
    return out.split("\n")[0] ?? err;
  };
  const farewell1 = "farewell iteration-1, 1/with_skill/run-1: completed";
  const farewell2 = "farewell iteration-1, 2/with_skill/run-1: completed";
  const greeter1 = "greeter iteration-1, 1/with_skill/run-1: completed";
  const names: [string, string][] = [
    ["1", farewell1],
    ["1/with_skill/run-1", farewell1],
    ["eval-1/with_skill/run-1", farewell1],
    ["eval-1", farewell1],
    ["farewell", farewell2],
    [".assay/farewell/iteration-1", farewell2],
    ["greeter", greeter1],
    ["greeter/1", greeter1],
    ["greeter@1/eval-1", greeter1],
    [".assay/greeter/iteration-1/eval-1/with_skill", greeter1],
  ];
  for (const [name, head] of names) expect([name, await headOf(name)]).toEqual([name, head]);
});

it.each([
  [["show", "greeter/7"], /no run "greeter\/7" in .*greeter\/iteration-1.*\n  hint: it has 1\/with_skill/],
  [["show", "7"], /no run "7" in .*farewell.*\n.*SKILL@N\/RUN name a run of another iteration/],
  [["show", "greeter@9/1"], /greeter has no iteration 9.*\n  hint: it has 1/],
  [["grade", "greter"], /"greter" is not an iteration in .*\n  hint: did you mean greeter\?/],
  [["grade", "quite-another"], /is not an iteration.*\n.*there are results of farewell, greeter/],
  [["grade", "greeter@9"], /greeter has no iteration 9/],
])("helps who asks for %j", async (words, message) => {
  await using project = await twoSkills();
  const { exitCode, err } = await assay(words, { cwd: project.root });
  expect(exitCode).toBe(2);
  expect(err).toMatch(message);
});

it("grades the iteration of a skill's name, number or directory", async () => {
  await using project = await twoSkills();
  for (const name of ["greeter", "greeter@1", "skills/greeter"])
    expect((await assay(["grade", name], { cwd: project.root })).out).toContain("greeter: passed");
});
