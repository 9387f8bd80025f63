import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { SESSIONS, sessionScript } from "../support/sessions.ts";
import { tempTree } from "../support/temp-tree.ts";
import { claude, codexClient } from "./support/clients.ts";

const SKILL = "---\nname: report\ndescription: Writes reports.\n---\n\nWrite reports.\n";

/** Logs of the real clients, kept for tests that have none: `RECORD_SESSIONS=1` makes them anew. */
const KEPT = fileURLToPath(new URL("../foreign/sessions", import.meta.url));

const CLIENTS = { "claude-code": await claude(), codex: await codexClient() };

describe.each(SESSIONS)("a session of $client: $name", (session) => {
  const { harness, program, installed } = CLIENTS[session.client];
  it.skipIf(!installed)("becomes a case", async () => {
    const turns = [session.asks, session.corrects].map((text) => `  - ${JSON.stringify(text)}\n`).join("");
    await using tree = await tempTree({
      "assay.config.json": "{}",
      ...session.files,
      "skills/report/SKILL.md": SKILL,
      "skills/report/evals/001.yaml": `timestamp: 2026-01-01T00:00:00Z\nname: report\nprompt:\n${turns}expected: a report\n`,
    });
    const sim = await startSim(parseScript(sessionScript(session)));
    onTestFinished(() => sim.close());
    const isClaude = session.client === "claude-code";
    const key = `sk-ant-${"k".repeat(24)}`;
    const { err } = await assay(
      [
        "run",
        "skills/report",
        "--harness",
        harness.name,
        "--no-grade",
        "--runs",
        "1",
        ...(isClaude ? [] : ["--model", "gpt-5.5"]),
      ],
      {
        cwd: tree.root,
        env: {
          [isClaude ? "ASSAY_CLAUDE" : "ASSAY_CODEX"]: program,
          ...(isClaude
            ? { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: key }
            : { OPENAI_BASE_URL: `${sim.url}/v1`, OPENAI_API_KEY: key }),
        },
      },
    );
    const log = await logIn(tree.path(".assay/report/iteration-1"), err);
    if (process.env["RECORD_SESSIONS"] !== undefined) {
      await mkdir(KEPT, { recursive: true });
      await writeFile(join(KEPT, `${session.name}.jsonl`), trimmed(await readFile(log, "utf8")));
    }
    await using other = await tempTree({ "skills/report/SKILL.md": SKILL });
    const made = await assay(["propose", "skills/report", "--from-session", log, "--yes"], {
      cwd: other.root,
    });
    expect(made.err).toContain(session.asks.split("\n")[0]?.slice(0, 20) ?? "");
    expect(made.exitCode).toBe(0);
  });
});

async function logIn(folder: string, err: string): Promise<string> {
  const entries = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  const found = entries.find(
    (entry) =>
      entry.isFile() && /[/\\]session([/\\]|$)/.test(entry.parentPath) && entry.name.endsWith(".jsonl"),
  );
  if (found === undefined) throw new Error(`no log was kept: ${err}`);
  return join(found.parentPath, found.name);
}

/** Without the client's own instructions, which are long and not ours to keep. */
function trimmed(log: string): string {
  const lines = log
    .trimEnd()
    .split("\n")
    .filter((line) => !line.includes('"type":"attachment"') && !line.includes('"role":"developer"'));
  return `${lines.map((line) => line.replace(/"base_instructions":\{"text":"(?:[^"\\]|\\.)*"/, '"base_instructions":{"text":""')).join("\n")}\n`;
}
