import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { PROJECT, stubClients } from "./cell.ts";
import { GOOD, type StrictService, strictService } from "./strict-service.ts";

let service: StrictService;
beforeAll(async () => {
  service = await strictService();
});
afterAll(() => service[Symbol.asyncDispose]());

const OLDER = "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hey.\n";
const AGENT = ["--harness", "claude-code", "--sandbox", "none"];

/** Every command that asks a judge, beside `run`, with how often it starts an agent. */
const COMMANDS: readonly (readonly [name: string, words: readonly string[], agents: number])[] = [
  ["bench", ["bench", "skills/greeter", "--smoke", ...AGENT], 2],
  ["compare", ["compare", "older", "skills/greeter", "--runs", "1", ...AGENT], 2],
  ["improve", ["improve", "skills/greeter", "--rounds", "1", "--runs", "1", ...AGENT], 1],
  ["propose", ["propose", "skills/greeter", "--output", "drafted"], 0],
  ["controls", ["controls", "skills/greeter"], 0],
];

async function projectWith(claude: string): Promise<TempTree> {
  return tempTree({ ...PROJECT, "older/SKILL.md": OLDER, "bin/claude": `->${claude}` });
}

/** How often the client was started to work or to judge. */
async function calls(clients: Awaited<ReturnType<typeof stubClients>>): Promise<number> {
  return (await clients.seen()).split("\n").length - 1;
}

describe("with ANTHROPIC_API_KEY, and claude on PATH", { timeout: 60_000 }, () => {
  it.each(COMMANDS)("%s judges by the API: claude has no login of its own", async (_, words, agents) => {
    await using clients = await stubClients();
    await using project = await projectWith(clients.claude);
    await using home = await tempTree();
    const { exitCode, err } = await assay(words, {
      cwd: project.root,
      env: {
        PATH: `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: home.root,
        ANTHROPIC_API_KEY: GOOD.anthropicKey,
        ANTHROPIC_BASE_URL: service.url,
      },
    });
    expect(`exit ${exitCode}: ${err}`).not.toMatch(/^exit 2|not logged in|no judge/);
    expect(await calls(clients)).toBe(agents);
  });
});

describe("where no judge can answer", { timeout: 60_000 }, () => {
  const LOGIN = { claudeAiOauth: { accessToken: GOOD.claudeToken, expiresAt: 4e12 } };

  it.each(COMMANDS.filter(([, , agents]) => agents > 0))(
    "%s is refused before an agent costs anything",
    async (_, words) => {
      await using clients = await stubClients();
      await using project = await projectWith(clients.claude);
      await using home = await tempTree({ ".claude/.credentials.json": JSON.stringify(LOGIN) });
      const { exitCode, err } = await assay([...words, "--transport", "api"], {
        cwd: project.root,
        env: {
          PATH: `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
          HOME: home.root,
          ANTHROPIC_BASE_URL: service.url,
        },
      });
      expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 2/);
      expect(err).toContain("ANTHROPIC_API_KEY");
      expect(await calls(clients)).toBe(0);
      const left = await readdir(project.path(".assay/greeter")).catch(() => []);
      expect(left.filter((name) => name.startsWith("iteration-"))).toEqual([]);
    },
  );
});
