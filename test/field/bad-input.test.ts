import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mapConcurrently } from "../../src/lib/concurrent.ts";
import { builtCommand } from "../support/built-command.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Clients, PROJECT, stubClients } from "./cell.ts";
import { firstError } from "./outcome.ts";
import { outcomesPage } from "./outcomes-page.ts";
import { type Ended, realProcess } from "./real-process.ts";
import { makeUsable, openToAll, uidOf } from "./situation.ts";
import { GOOD } from "./strict-service.ts";

const CLIENTS = ["claude", "codex"] as const;
type Client = (typeof CLIENTS)[number];

const FILES = { claude: ".claude/.credentials.json", codex: ".codex/auth.json" } as const;

const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.s-of-a-token`;
const LOGINS = {
  claude: (at: number) => ({ claudeAiOauth: { accessToken: GOOD.claudeToken, expiresAt: at * 1000 } }),
  codex: (at: number) => ({ tokens: { access_token: jwt(at), account_id: GOOD.account } }),
};
const NEVER = 4_000_000_000;

interface BadInput {
  readonly title: string;
  /** What is done to a home that holds a good login. */
  readonly spoil?: (file: string, client: Client) => Promise<unknown>;
  readonly content?: (client: Client) => string;
  readonly args?: (home: string) => readonly string[];
  readonly env?: (home: string) => Readonly<Record<string, string>>;
  /** Absent: a plain user, since nothing is kept from root. */
  readonly as?: "whoever runs the tests";
}

const INPUTS: readonly BadInput[] = [
  { title: "a credentials file that may not be read", spoil: (file) => chmod(file, 0o000) },
  { title: "one that is not JSON", content: () => "{ not json" },
  { title: "one without a login", content: () => "{}" },
  { title: "one that expired", content: (client) => JSON.stringify(LOGINS[client](1)) },
  { title: "one whose expiry is nonsense", content: (client) => JSON.stringify(LOGINS[client](-1e300)) },
  { title: "a directory in its place", content: () => "" },
  { title: "a pipe in its place", spoil: (file) => makePipe(file) },
  { title: "`TMPDIR` that does not exist", env: () => ({ TMPDIR: "/nonexistent/tmp" }) },
  { title: "`TMPDIR` that is a file", env: (home) => ({ TMPDIR: `${home}/file` }) },
  { title: "`TMPDIR` that is relative", env: () => ({ TMPDIR: "tmp" }) },
  { title: "`TMPDIR=/proc`", env: () => ({ TMPDIR: "/proc" }), as: "whoever runs the tests" },
  { title: "`--project-root /`", args: () => ["--project-root", "/"] },
  { title: "`--project-root ~`", args: (home) => ["--project-root", home] },
  { title: "`--project-root ~/..`", args: (home) => ["--project-root", `${home}/..`] },
  { title: "`--project-root /proc/self`", args: () => ["--project-root", "/proc/self"] },
];

async function makePipe(path: string): Promise<void> {
  await rm(path);
  execFileSync("mkfifo", ["-m", "644", path]);
}

interface Seen {
  readonly input: BadInput;
  readonly client: Client;
  readonly ended: Ended;
  readonly left: readonly string[];
  /** The user's home, which is another each time. */
  readonly home: string;
}

let seen: readonly Seen[];

beforeAll(async () => {
  await using command = await builtCommand();
  await using clients = await stubClients();
  await openToAll(
    dirname(dirname(command.path)),
    ...[clients.claude, clients.codex].flatMap((one) => [dirname(one), dirname(dirname(one))]),
  );
  const cells = INPUTS.flatMap((input) => CLIENTS.map((client) => ({ input, client })));
  seen = await mapConcurrently(cells, 2, (cell) => tried(cell, command.path, clients));
}, 120_000);

async function tried(
  { input, client }: Pick<Seen, "input" | "client">,
  command: string,
  clients: Clients,
): Promise<Seen> {
  await using home = await homeWith(input, client);
  await using project = await tempTree({
    ...PROJECT,
    "bin/claude": `->${clients.claude}`,
    "bin/codex": `->${clients.codex}`,
  });
  const as = input.as === undefined ? uidOf("plain user") : undefined;
  for (const tree of [home, project]) await makeUsable(tree.root, as);
  await input.spoil?.(home.path(FILES[client]), client);
  const harness = client === "claude" ? "claude-code" : client;
  const words = ["run", "skills/greeter", "--harness", harness, "--sandbox", "none"];
  const call = [process.execPath, command, ...words, ...(input.args?.(home.root) ?? [])];
  const env = {
    PATH: `${project.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home.root,
    TMPDIR: home.path("tmp"),
    ...input.env?.(home.root),
  };
  const ended = await realProcess(call, { cwd: project.root, env, ...(as !== undefined && { as }) });
  const left = await readdir(project.path(".assay/greeter")).catch(() => []);
  return { input, client, ended, left, home: home.root };
}

async function homeWith({ content }: BadInput, client: Client): Promise<TempTree> {
  const text = content?.(client) ?? JSON.stringify(LOGINS[client](NEVER));
  if (text !== "") return tempTree({ "tmp/": "", file: "", [FILES[client]]: text });
  const home = await tempTree({ "tmp/": "" });
  await mkdir(home.path(FILES[client]), { recursive: true });
  return home;
}

describe("bad input is refused before anything runs, with a cause and a fix", () => {
  it("in one sentence each, as docs/logins.md says", async () => {
    const { page, expected } = await outcomesPage({
      name: "bad-input",
      head: ["given", ...CLIENTS.map((client) => `\`${client}\``)],
      rows: INPUTS.map((input) => [
        input.title,
        ...seen.filter((one) => one.input === input).map(({ ended, home }) => outcomeOf(ended, home)),
      ]),
    });
    expect(page).toBe(expected);
  });

  it("with exit 2, a hint, no iteration, no stack trace and no token", () => {
    expect(seen).toHaveLength(INPUTS.length * CLIENTS.length);
    for (const { ended, left } of seen) {
      expect(`exit ${ended.exitCode}: ${ended.err}`).toMatch(/^exit 2: error: [\s\S]*\n {2}hint: \S/);
      expect(left).toEqual([]);
      expect(ended.err).not.toMatch(/\n {4}at /);
      for (const token of [GOOD.claudeToken, jwt(NEVER), jwt(1)]) expect(ended.err).not.toContain(token);
    }
  });
});

function outcomeOf({ exitCode, err }: Ended, home: string): string {
  const words = firstError(err).replaceAll(home, "~");
  return exitCode === 2 ? words : `exit ${exitCode}: ${words}`;
}
