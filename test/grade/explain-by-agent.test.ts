import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventOf } from "../../src/domain/event.ts";
import type { Explained } from "../../src/operations/explain.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal } from "../support/project.ts";

const KEY = "sk-ant-explain-0123456789abcdef";

/** An agent that writes the wrong file and prints a secret, and says why when it is asked. */
const SCRIPT = `
rules:
  - when: { structured: true }
    reply: { json: {"evidence": [{"quote": "Good day.", "source": "output"}], "cause": "Other words.", "remedy": "Spell it out."} }
  - when: { userText: These checks failed }
    steps:
      - - { tool: Read, input: { file_path: wrong.txt } }
        - { tool: Bash, input: { command: "touch changed.txt" } }
      - parts: ["I wrote wrong.txt because nothing told me the name.\\e[31m"]
        usage: { input: 900, output: 20 }
  - when: { userText: Greet Bob }
    steps:
      - - { tool: bash, input: { command: "echo made-in-$((40 + 2)) > wrong.txt" } }
        - { tool: bash, input: { command: "echo ghp_0123456789abcdefghij0123456789abcdef" } }
      - Good day.
`;

const RUN = "run skills/greeter --harness builtin --model claude-sonnet-4-6 --case 2".split(" ");
const TRIGGERS =
  "run skills/greeter --harness builtin --mode trigger --runs 1 --model claude-sonnet-4-6".split(" ");

async function failedRun(script = SCRIPT, line: readonly string[] = RUN) {
  const project = await greeterProject([], {
    "skills/greeter/evals/trigger-eval.json": '[{ "query": "Add one and two.", "should_trigger": false }]',
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const sim = await startSim(parseScript(script));
  onTestFinished(() => sim.close());
  const way = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: sim.url };
  const call = (line: readonly string[], env: Record<string, string> = way) =>
    assay(line, { cwd: project.root, env });
  const ran = await call(line);
  expect(`${ran.exitCode} ${ran.err}`).toMatch(/^1 /);
  const finished = (await journal(project.root)).find(
    (event) => event.kind === "trial-finished" && !event.trial.id.startsWith("assay:"),
  );
  const { run, folder, trial } = finished as EventOf<"trial-finished">;
  const before = sim.requests.length;
  return {
    project,
    sim,
    run,
    session: join(project.root, ".assay/greeter/iteration-1", folder, "session"),
    call,
    show: (...more: readonly string[]) =>
      call(["show", trial.id, "--explain", "--transport", "api", ...more]),
    /** What the model was sent since. */
    asked: () => sim.requests.slice(before).map(({ body }) => JSON.stringify(body)),
  };
}

async function filesIn(root: string): Promise<readonly string[]> {
  return (await readdir(root, { recursive: true })).toSorted();
}

describe("assay show --explain of a run whose session was kept", () => {
  it("asks the agent itself, which sees all it did and can change nothing", async () => {
    const { show, asked, project } = await failedRun();
    const before = await filesIn(project.root);
    const { exitCode, out, err } = await show();
    expect(`${exitCode} ${err}`).toBe("0 ");
    expect(out).toContain(
      "Why, the agent says (builtin, model claude-sonnet-4-6; its own account, no evidence)",
    );
    expect(out).toContain("  I wrote wrong.txt because nothing told me the name.\\u001b[31m\n");
    expect(out).toMatch(/asked in its own session: [\d,]+ tokens in, \d+ out, \$0\.\d+/);
    const [first, second] = asked();
    expect(first).toMatch(/Greet Bob.*Good day\..*These checks failed:.*bob\.txt/s);
    expect(first).not.toContain("made-in-42");
    expect(second).toContain("made-in-42");
    expect(second).toContain("the tool Bash is not allowed here");
    expect(await filesIn(project.root)).toEqual(before);
  });

  it("gives it as data, in one document", async () => {
    const { show, run } = await failedRun();
    const { exitCode, out } = await show("--json");
    const { explanation, trial } = JSON.parse(out) as { explanation: Explained; trial: { id: string } };
    expect({ exitCode, id: trial.id }).toEqual({ exitCode: 0, id: "2/with_skill/run-1" });
    expect(explanation).toMatchObject({
      by: "agent",
      client: { name: "builtin" },
      sessionId: run.sessionId,
      account: expect.stringContaining("because nothing told me") as string,
      usage: { costUsd: expect.any(Number) as number },
    });
  });

  it("asks a judge where one is wanted", async () => {
    const { show } = await failedRun();
    const { exitCode, out, err } = await show("--from", "judge");
    expect(`${exitCode} ${err}`).toBe("0 ");
    expect(out).toContain("  Other words.\n");
    expect(out).not.toContain("the agent says");
  });

  it("keeps the session masked, and no key reaches the model or the session", async () => {
    const { session, run, sim } = await failedRun();
    const text = await readFile(join(session, run.sessionFile ?? ""), "utf8");
    expect(text).toContain("Greet Bob");
    expect(text).toContain("[masked]");
    expect(text).not.toContain("ghp_0123456789");
    expect(text).not.toContain(KEY);
    expect(JSON.stringify(sim.requests.map(({ body }) => body))).not.toContain(KEY);
  });

  it("also asks an agent that was ended when it took a skill up", async () => {
    const { show, asked } = await failedRun(
      `${SCRIPT}
  - when: { step: 2 }
    reply: It seemed to fit.
  - reply: [{ tool: skill, input: { name: "{{request /(greeter-[0-9a-f]{8})/}}", args: "" } }]
`,
      TRIGGERS,
    );
    const { exitCode, out, err } = await show("--from", "agent");
    expect(`${exitCode} ${err}`).toBe("0 ");
    expect(out).toContain("  It seemed to fit.\n");
    expect(asked()[0]).toMatch(/Add one and two\..*"name":"Skill".*These checks failed:/s);
  });

  it("stops before it costs more than allowed", async () => {
    const { show } = await failedRun();
    const { exitCode, out, err } = await show("--max-tokens", "10", "--from", "agent");
    expect(exitCode).toBe(3);
    expect(err).toMatch(/error: the agent cannot be asked: its session could not be resumed: .*budget/);
    expect(out).not.toContain("the agent says");
  });

  it("records what was said, and plays it back without service and key", async () => {
    const { show, call, sim } = await failedRun();
    const recorded = await show("--record");
    expect(`${recorded.exitCode} ${recorded.err}`).toMatch(/^0 /);
    await sim.close();
    const replayed = await call(["show", "2", "--explain", "--replay"], {});
    expect(`${replayed.exitCode} ${replayed.err}`).toMatch(/^0 /);
    expect(replayed.out).toContain("because nothing told me the name");
    expect(replayed.out).toContain("replay: exact");
  });
});

describe("assay show --explain falls back to a judge", () => {
  const JUDGED = /note: a judge is asked, not the agent itself: (.*)\n/;

  it.each<[string, (run: Awaited<ReturnType<typeof failedRun>>) => Promise<unknown>, string]>([
    ["the session is gone", ({ session }) => rm(session, { recursive: true }), "its session is not in "],
    [
      "the session cannot be read",
      ({ session, run }) => writeFile(join(session, run.sessionFile ?? ""), "{"),
      "holds no session of the builtin agent",
    ],
  ])("where %s", async (_, spoil, reason) => {
    const failed = await failedRun();
    await spoil(failed);
    const { exitCode, out, err } = await failed.show();
    expect(exitCode).toBe(0);
    expect(JUDGED.exec(err)?.[1]).toContain(reason);
    expect(out).toContain("  Other words.\n");
  });

  it("where the service fails the agent", async () => {
    const failed = await failedRun(
      SCRIPT.replace(
        /userText: These checks failed }\n {4}steps:[^]*?usage.*\n/,
        "userText: These checks failed }\n    fault: { status: 400 }\n",
      ),
    );
    const { exitCode, out, err } = await failed.show();
    expect(exitCode).toBe(0);
    expect(JUDGED.exec(err)?.[1]).toContain("its session could not be resumed: ");
    expect(out).toContain("  Other words.\n");
  });

  it("says why there is nobody, when only the agent is wanted", async () => {
    const { show, session } = await failedRun();
    await rm(session, { recursive: true });
    const { exitCode, out, err } = await show("--from", "agent", "--json");
    expect(exitCode).toBe(3);
    expect(err).toContain("error: the agent cannot be asked: its session is not in ");
    expect(JSON.parse(out)).toMatchObject({ explanation: null });
  });
});
