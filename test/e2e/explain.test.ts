import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventOf } from "../../src/domain/event.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal } from "../support/project.ts";
import { claude, codexClient, laterClaude, type PinnedClient } from "./support/clients.ts";

const KEY = "sk-real-0815-471100112233";

/** The agent makes the wrong file; asked why, it tries to put that right, and is not let. */
const SCRIPT = `
rules:
  - when: { structured: true }
    reply: { json: {"evidence": [{"quote": "Good day", "source": "output"}], "cause": "Other words.", "remedy": "Spell it out."} }
  - when: { userText: These checks failed }
    steps:
      - - { tool: bash, input: { command: "echo done-$((40 + 2)) > bob.txt; cat bob.txt" } }
        - { tool: read, input: { path: wrong.txt } }
      - parts: ["I made wrong.txt, because nothing told me the name."]
        usage: { input: 900, output: 20 }
  - when: { userText: Greet Ada }
    fault: { stall: true }
  - when: { userText: Greet Bob }
    steps:
      - - { tool: bash, input: { command: "echo made-$((40 + 2)) > wrong.txt; echo ghp_0123456789abcdefghij0123456789abcdef" } }
      - Good day.
`;

for (const client of [await claude(), await laterClaude(), await codexClient()]) {
  const { harness, installed, version, program } = client;

  describe.skipIf(!installed)(`asking ${harness.name} ${version} why its run failed`, () => {
    it.each(["auto", "none"])("resumes its session, with sandbox %s", async (sandbox) => {
      const { show, asked, root, run } = await failedRun(client, "2", "--sandbox", sandbox);
      const { exitCode, out, err } = await show("--sandbox", sandbox);
      const unheld =
        sandbox === "none"
          ? "note: running without a sandbox: agents can read and change this machine's files, as you can\n"
          : "";
      expect(`${exitCode} ${err}`).toBe(`0 ${unheld}`);
      expect(out).toMatch(/^Why, the agent says \(.*; its own account, no evidence\)$/m);
      expect(out).toContain("  I made wrong.txt, because nothing told me the name.\n");
      expect(out).toMatch(/asked in its own session: [\d,]+ tokens in, \d+ out/);
      const [first = "", ...more] = asked();
      expect(first).toMatch(/Greet Bob.*> wrong\.txt.*Good day\..*These checks failed:.*bob\.txt/s);
      expect(more.join("\n")).toMatch(/Bash has been denied|Operation not permitted|Read-only file system/);
      expect(more.join("\n")).not.toContain("done-42");
      // Codex runs nothing at all where its own sandbox cannot start, which is in any other.
      const canLook = harness.name === "claude-code" || sandbox === "none";
      expect([first, ...more].map((body) => body.includes("made-42"))).toEqual([false, canLook]);
      expect(first).not.toContain(KEY);
      const session = await readFile(join(root, SESSION, run.sessionFile ?? ""), "utf8");
      expect(session).toContain("[masked]");
      expect(session).not.toMatch(/ghp_0123456789|sk-real/);
    });

    it("also resumes a run that was ended at its deadline", async () => {
      const { show, asked } = await failedRun(client, "1", "--timeout", "5");
      const { exitCode, out, err } = await show();
      expect(`${exitCode} ${err}`).toBe("0 ");
      expect(out).toContain("because nothing told me the name.");
      expect(asked()[0]).toMatch(/Greet Ada.*These checks failed:/s);
    });

    it("records what it says and plays it back without a service or a key", async () => {
      const { show, sim, call } = await failedRun(client, "2");
      const recorded = await show("--record");
      expect(`${recorded.exitCode} ${recorded.err}`).toBe("0 ");
      await sim.close();
      const replayed = await call(["show", "2", "--explain", "--replay"], { way: false });
      expect(`${replayed.exitCode} ${replayed.err}`).toBe("0 ");
      expect(replayed.out).toContain("because nothing told me the name.");
      expect(replayed.out).toMatch(/replay: (?:exact|alias)/);
    });

    it("asks a judge where the client is not installed", async () => {
      const { call, asked } = await failedRun(client, "2");
      const line = ["show", "2", "--explain", "--transport", "api", ...judgeOf(client)];
      const { exitCode, out, err } = await call(line, { program: `${program}-gone` });
      expect(exitCode).toBe(0);
      expect(err).toMatch(/^note: a judge is asked, not the agent itself: .* is not installed.*\n$/);
      expect(out).toContain("  Other words.\n");
      expect(asked()).toHaveLength(1);
    });
  });
}

const SESSION = ".assay/greeter/iteration-1/eval-2/with_skill/run-1/session";

function judgeOf({ harness }: PinnedClient): readonly string[] {
  return harness.name === "codex" ? ["--grading-provider", "openai"] : [];
}

/** A project in which one case was run and failed. */
async function failedRun(client: PinnedClient, id: "1" | "2", ...args: readonly string[]) {
  const isClaude = client.harness.name === "claude-code";
  const project = await greeterProject([]);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const sim = await startSim(parseScript(SCRIPT));
  onTestFinished(() => sim.close());
  const service: Record<string, string> = isClaude
    ? { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: KEY }
    : { OPENAI_BASE_URL: `${sim.url}/v1`, OPENAI_API_KEY: KEY };
  const call = (
    line: readonly string[],
    { program = client.program, way = true }: { program?: string; way?: boolean } = {},
  ) =>
    assay(line, {
      cwd: project.root,
      env: { [isClaude ? "ASSAY_CLAUDE" : "ASSAY_CODEX"]: program, ...(way ? service : {}) },
    });
  const model = isClaude ? [] : ["--model", "gpt-5.5"];
  const start = ["run", "skills/greeter", "--harness", client.harness.name, "--case", id];
  const ran = await call([...start, ...model, ...args]);
  expect(`${ran.exitCode} ${ran.err}`).toMatch(/^1 /);
  const finished = (await journal(project.root)).find((event) => event.kind === "trial-finished");
  const before = sim.requests.length;
  return {
    root: project.root,
    sim,
    call,
    run: (finished as EventOf<"trial-finished">).run,
    show: (...more: readonly string[]) => call(["show", id, "--explain", "--from", "agent", ...more]),
    /** What the model was sent since, in questions. */
    asked: () =>
      sim.requests.slice(before).flatMap(({ body, seen }) => (seen === null ? [] : [JSON.stringify(body)])),
  };
}
