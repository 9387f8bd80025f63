import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { runNode } from "../support/run-node.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL =
  "---\nname: greeter\ndescription: Greets people by name. Use for welcomes.\n---\n\nSay hello.\n";

const MODEL = {
  rules: [
    {
      when: { system: "You grade one run" },
      reply: {
        verdicts: [{ criterion: "greets Ada", quote: "Hello Ada, welcome on board", source: "output" }],
      },
    },
  ],
  replies: ["Hello Ada, welcome on board"],
};

/** No agent is there, so that no test depends on what this machine has. */
const BARE = { PATH: "/usr/bin:/bin" };

const MOST_COMMANDS = 4;
const MOST_MS = 120_000;

it(
  "comes within four commands and two minutes, on an own skill, with the published command",
  { timeout: MOST_MS },
  async () => {
    await using home = await tempTree();
    await using project = await tempTree({
      "skills/greeter/SKILL.md": SKILL,
      ".git/HEAD": "ref: refs/heads/main\n",
      "model.json": JSON.stringify(MODEL),
    });
    const program = join(inject("builtPackage"), "bin", "assay.js");
    let commands = 0;
    const url = await startModel();
    const env = { ...BARE, HOME: home.root, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "any" };

    const words = ["--prompt", "Greet Ada", "--expected", "The answer greets Ada by name"];
    const started = await assay("init", ...words);
    expect(started).toMatchObject({ code: 0 });
    const next = /\nNext:\n {2}assay (.*)\n$/.exec(started.err)?.[1];
    expect(next).toBe("run skills/greeter --harness builtin");
    const ran = await assay(...(next ?? "").split(" "));
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toMatch(/greeter/);
    expect(ran.out).toMatch(/passed/i);
    expect(commands).toBeLessThanOrEqual(MOST_COMMANDS);

    async function assay(...args: readonly string[]) {
      commands++;
      return runNode([program, ...args], { cwd: project.root, env });
    }

    async function startModel(): Promise<string> {
      commands++;
      const options = { cwd: project.root, env: { ...BARE, HOME: home.root } };
      const model = spawn(process.execPath, [program, "sim", "model.json"], options);
      onTestFinished(() => void model.kill("SIGKILL"));
      return new Promise((resolve, reject) => {
        model.stdout.setEncoding("utf8").once("data", (line: string) => resolve(line.trim()));
        model.once("close", (code) => reject(new Error(`the scripted model ended with ${String(code)}`)));
      });
    }
  },
);
