import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal } from "../support/project.ts";

const RUN = ["run", "skills/greeter", "--harness", "builtin", "--cassettes", "cassettes"];
const KEY = "sk-ant-recorded-0123456789";
const EVALS = JSON.stringify({
  skill_name: "greeter",
  evals: [
    {
      id: 1,
      prompt: "Greet Ada in a file",
      expectations: ["hello.txt greets Ada"],
      assay: { checks: [{ type: "file_exists", path: "hello.txt" }] },
    },
  ],
});
const SCRIPT = `rules:
  - when: { structured: true }
    reply:
      verdicts: [{ criterion: greets Ada, quote: Hello Ada, source: hello.txt }]
  - steps:
      - [{ tool: skill, input: { name: greeter } }]
      - [{ tool: write, input: { path: hello.txt, content: "Hello Ada\\n" } }]
      - [{ tool: bash, input: { command: "pwd; date; ls" } }]
      - The file is written.
`;

async function verdicts(root: string, iteration: number) {
  const events = await journal(root, iteration);
  return events.flatMap((event) =>
    event.kind === "verdicts-recorded"
      ? event.grading.verdicts.map(({ checkId, status, evidence }) => ({ checkId, status, evidence }))
      : [],
  );
}

async function recorded() {
  const project = await greeterProject([], { "skills/greeter/evals/evals.json": EVALS });
  await using sim = await startSim(parseScript(SCRIPT));
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: sim.url };
  const { exitCode, out } = await assay([...RUN, "--record"], { cwd: project.root, env });
  expect(out).toContain("passed");
  expect(exitCode).toBe(0);
  return project;
}

describe("a recorded run", () => {
  it("gives the same verdicts elsewhere, without a key or a server", async () => {
    await using first = await recorded();
    await using second = await greeterProject([], { "skills/greeter/evals/evals.json": EVALS });
    await cp(first.path("cassettes"), second.path("cassettes"), { recursive: true });
    const { exitCode, out } = await assay([...RUN, "--replay"], { cwd: second.root });
    expect(out).toContain("passed");
    expect(exitCode).toBe(0);
    expect(await verdicts(second.root, 1)).toEqual(await verdicts(first.root, 1));
    const finished = (await journal(second.root)).find((event) => event.kind === "trial-finished");
    expect(finished?.run.replay).not.toBeNull();
  });

  it("is free of the key and small", async () => {
    await using project = await recorded();
    const entries = await readdir(project.path("cassettes"), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("");
    expect(text.length).toBeGreaterThan(500);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toContain(KEY);
  });

  it("is no verdict once the skill has changed, and says what did", async () => {
    await using project = await recorded();
    await writeFile(
      project.path("skills/greeter/SKILL.md"),
      "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay good morning.\n",
    );
    const { exitCode, err } = await assay([...RUN, "--replay"], { cwd: project.root });
    expect(exitCode).toBe(3);
    expect(err).toContain("replay miss");
    expect(err).toContain("skill");
  });

  it.each([
    ["run", []],
    ["bench", []],
    ["grade", []],
    ["compare", ["1", "2"]],
    ["improve", ["skills/greeter"]],
    ["propose", ["skills/greeter"]],
  ])("is missed by %s once and at once where there is none", async (command, operands) => {
    await using project = await greeterProject([], { "cassettes/.gitkeep": "" });
    for (const folder of ["cassettes", "nowhere", "script.json"]) {
      const args = [command, ...operands, "--replay", "--cassettes", folder];
      const { exitCode, err, out } = await assay(args, { cwd: project.root });
      expect(err).toBe(
        `error: --replay: nothing is recorded in ${folder} [replay/nothing-recorded]\n` +
          "  hint: repeat the command with --record first, or set the folder of the recordings with --cassettes\n",
      );
      expect(out).toBe("");
      expect(exitCode).toBe(2);
    }
  });

  it("refuses to be both made and played", async () => {
    await using project = await greeterProject([]);
    const { exitCode, err } = await assay([...RUN, "--record", "--replay"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("--replay=auto");
  });
});
