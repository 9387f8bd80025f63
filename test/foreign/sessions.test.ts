import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { LEAKED, SESSIONS } from "../support/sessions.ts";
import { tempTree } from "../support/temp-tree.ts";

const LOGS = fileURLToPath(new URL("./sessions", import.meta.url));

/** An agent that does what the skill says behind "DO: ". */
const AGENT = `#!/bin/bash
cat > /dev/null
sed -n 's/^DO: //p' .claude/skills/report/SKILL.md | bash
`;

function skill(does: string): string {
  return `---\nname: report\ndescription: Writes reports.\n---\n\nDO: ${does}\n`;
}

async function project(does = "true", files: Readonly<Record<string, string>> = {}) {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "agent.sh": AGENT,
    "skills/report/SKILL.md": skill(does),
    ...files,
  });
  await chmod(tree.path("agent.sh"), 0o755);
  return Object.assign(tree, {
    assay: (...args: readonly string[]) => assay(args, { cwd: tree.root }),
    text: (path: string) => readFile(tree.path(path), "utf8"),
  });
}

const RUN = ["run", "skills/report", "--harness", "command", "--command", "./agent.sh", "--runs", "1"];
const propose = (log: string, ...more: readonly string[]) => [
  "propose",
  "skills/report",
  "--from-session",
  log,
  ...more,
];

describe.each(SESSIONS)("the session $name", ({ name, bad, good, files, asks }) => {
  it("becomes a case that fails on the skill as it was, and passes on the fixed one", async () => {
    await using made = await project(bad);
    const proposed = await made.assay(...propose(join(LOGS, `${name}.jsonl`), "--yes"));
    expect(proposed.err).toContain("case ");
    expect(proposed.exitCode).toBe(0);
    const evals = await made.text("skills/report/evals/evals.json");
    const [file = ""] = Object.keys(files);
    expect(evals).toContain(`evals/files/${file}`);
    expect(evals).toContain(asks.split(" ")[0] ?? "");
    expect((await made.text(`skills/report/evals/files/${file}`)).split("\n")[0]).toBe(
      files[file]?.split("\n")[0],
    );
    const failed = await made.assay(...RUN);
    expect(`${failed.exitCode} ${failed.err}`).toMatch(/^1 /);
    await writeFile(made.path("skills/report/SKILL.md"), skill(good));
    const passed = await made.assay(...RUN);
    expect(`${passed.exitCode} ${passed.out}${passed.err}`).toMatch(/^0 /);
    const again = await made.assay(...propose(join(LOGS, `${name}.jsonl`), "--yes"));
    expect(again.err).toMatch(/case 1 in .*evals\.json already has this prompt/);
    expect(again.exitCode).toBe(2);
  });
});

const CLAUDE = { sessionId: "s", version: "2.1.197", cwd: "/home/ada/work", isSidechain: false };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const typed = (content: string) => line({ type: "user", message: { role: "user", content }, ...CLAUDE });
const said = (...content: readonly unknown[]) =>
  line({ type: "assistant", message: { role: "assistant", content }, ...CLAUDE });
const answered = (id: string, content: string) =>
  line({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ...CLAUDE,
  });

const SECRET = `sk-ant-api03-${"x1".repeat(24)}`;

const FULL_OF_SECRETS =
  typed(`Deploy /home/ada/work/app.env with ${SECRET}, and mail ada@lovelace.dev`) +
  said({ type: "tool_use", id: "t1", name: "Read", input: { file_path: "/home/ada/work/conf/app.ini" } }) +
  answered("t1", `     1→password = hunter2hunter2\n     2→key=${LEAKED}\n     3→root=/home/ada/other\n`) +
  said({ type: "tool_use", id: "t2", name: "Read", input: { file_path: "/home/ada/.ssh/id_rsa" } }) +
  answered("t2", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----") +
  said({ type: "text", text: "Deployed." }) +
  typed('No, say "staging" instead.');

describe("assay propose --from-session", () => {
  it("takes secrets, personal paths and addresses out, and says so", async () => {
    await using made = await project("true", { "log.jsonl": FULL_OF_SECRETS });
    const { err, exitCode } = await made.assay(...propose("log.jsonl", "--yes"));
    expect(exitCode).toBe(0);
    const written =
      (await made.text("skills/report/evals/evals.json")) +
      (await made.text("skills/report/evals/files/conf/app.ini"));
    for (const secret of [SECRET, LEAKED, "hunter2", "/home/ada", "lovelace", "PRIVATE KEY", "id_rsa"])
      expect(`${written}${err}`).not.toContain(secret === "id_rsa" ? "AAAA" : secret);
    expect(written).toContain("root=~/other");
    expect(err).toMatch(/taken out: \d+ secret values/);
    expect(err).toContain("a file outside the project was read and is left out");
  });

  it("shows the case, and writes it only when somebody agrees", async () => {
    await using made = await project("true", { "log.jsonl": FULL_OF_SECRETS });
    const shown = await made.assay(...propose("log.jsonl"));
    expect(shown.err).toMatch(
      /check contains "staging"[\s\S]*nothing was written; --yes writes it to skills\/report\/evals\/evals\.json/,
    );
    await expect(made.text("skills/report/evals/evals.json")).rejects.toThrow("ENOENT");
    const asked = await assay(propose("log.jsonl"), { cwd: made.root, answer: () => "y" });
    expect(asked.err).toContain("Write it to skills/report/evals/evals.json? [y/N]");
    expect(await made.text("skills/report/evals/evals.json")).toContain("staging");
  });

  it("reads a log that is torn, and one with lines that it does not know", async () => {
    const log = `${FULL_OF_SECRETS}nonsense\n{"type":"user","mess`;
    await using made = await project("true", { "log.jsonl": log });
    const { err, exitCode } = await made.assay(...propose("log.jsonl", "--yes"));
    expect(exitCode).toBe(0);
    expect(err).toMatch(/its last line is torn[\s\S]*1 line of it could not be read/);
  });

  it("reads a log of 300 MB without holding it", async () => {
    const filler = said({ type: "text", text: "x".repeat(1_000_000) });
    await using made = await project("true", { "log.jsonl": typed("Greet Ada") });
    for (let times = 0; times < 30; times++)
      await writeFile(made.path("log.jsonl"), filler.repeat(10), { flag: "a" });
    await writeFile(made.path("log.jsonl"), typed('No, say "Hello Ada".'), { flag: "a" });
    const before = process.memoryUsage().rss;
    const { err, exitCode } = await made.assay(...propose("log.jsonl"));
    expect(err).toContain('check contains "Hello Ada"');
    expect(exitCode).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it.each([
    [
      "a log of another version",
      line({ type: "user", msg: { v9: "hello" }, sessionId: "s", version: "9.0" }),
      /nothing that a person typed is found/,
    ],
    ["something else", "just some prose\n", /neither a log of Claude Code or Codex nor a transcript/],
    [
      "a session without a correction",
      typed("Greet Ada") + said({ type: "text", text: "Hi" }),
      /nothing in log\.jsonl looks like a correction.*\n.*--expected TEXT/,
    ],
  ])("refuses %s and helps", async (_name, log, message) => {
    await using made = await project("true", { "log.jsonl": log });
    const { err, exitCode } = await made.assay(...propose("log.jsonl", "--yes"));
    expect(err).toMatch(message);
    expect(exitCode).toBe(2);
  });

  it("makes a case of a pasted transcript", async () => {
    const pasted =
      'User: Greet Ada\nAssistant: Hi\n\nUser: no, say "Hello Ada" please\nAssistant: Hello Ada\n';
    await using made = await project("echo Hi", { "pasted.txt": pasted });
    expect((await made.assay(...propose("pasted.txt", "--yes"))).exitCode).toBe(0);
    expect(await made.text("skills/report/evals/001-greet-ada.yaml")).toMatch(
      /prompt: Greet Ada[\s\S]*value: Hello Ada/,
    );
  });
});

describe("assay add", () => {
  it("records a failure as a Skillet case, once", async () => {
    await using made = await project();
    const words = [
      "add",
      "skills/report",
      "--prompt",
      "Greet Ada in /home/ada/x",
      "--expected",
      "She is named",
    ];
    const { out, exitCode } = await made.assay(...words);
    expect(out).toBe("skills/report/evals/001-greet-ada-in-home-ada-x.yaml\n");
    expect(exitCode).toBe(0);
    expect(await made.text(out.trim())).toMatch(
      /^timestamp: .*\nname: .*\nprompt: Greet Ada in ~\/x\nexpected: She is named\n/,
    );
    const again = await made.assay(...words);
    expect(again.err).toMatch(/already has this prompt[\s\S]*--again/);
    expect(again.exitCode).toBe(2);
    expect(
      (await made.assay("add", "skills/report", "--prompt", "Sing", "--expected", "A song")).out,
    ).toContain("002-sing.yaml");
    expect((await made.assay("check", "skills/report")).exitCode).toBe(0);
  });

  it("takes prompt, answer and expectation from a run, and adds to an evals.json", async () => {
    await using made = await project("echo Hi", {
      "skills/report/evals/evals.json": JSON.stringify({
        skill_name: "report",
        note: "kept",
        evals: [{ id: 4, prompt: "Greet Bob", assay: { checks: [{ type: "contains", needle: "Bob" }] } }],
      }),
    });
    await made.assay(...RUN);
    const same = await made.assay("add", "skills/report", "--from", "4/with_skill/run-1");
    expect(same.err).toContain("case 4 in skills/report/evals/evals.json already has this prompt");
    const added = await made.assay(
      "add",
      "skills/report",
      "--from",
      "4",
      "--prompt",
      "Greet all of the guests by name",
    );
    expect(added.exitCode).toBe(0);
    const { evals, note } = JSON.parse(await made.text("skills/report/evals/evals.json")) as {
      evals: { id: number; expectations: string[] }[];
      note: string;
    };
    expect(note).toBe("kept");
    expect(evals[1]).toMatchObject({ id: 5, expectations: ['the output contains "Bob"'] });
  });

  it.each([
    [["add", "skills/report"], /what was the agent asked[\s\S]*--prompt/],
    [["add", "skills/report", "--prompt", "x"], /what should the agent have done[\s\S]*--expected/],
    [["add", "nowhere", "--prompt", "x", "--expected", "y"], /there is no skill at nowhere/],
  ])("helps who says too little: %j", async (words, message) => {
    await using made = await project();
    const { err, exitCode } = await made.assay(...words);
    expect(err).toMatch(message);
    expect(exitCode).toBe(2);
  });
});
