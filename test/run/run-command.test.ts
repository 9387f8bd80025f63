import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";

async function outcomes(root: string, iteration = 1): Promise<Record<string, string>> {
  const finished = (await journal(root, iteration)).filter((event) => event.kind === "trial-finished");
  return Object.fromEntries(finished.map(({ trial, run }) => [trial.id, run.outcome.status]));
}

async function everything(root: string): Promise<string> {
  const entries = await readdir(join(root, ".assay"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join(
    "\n",
  );
}

describe("assay run", () => {
  it("runs each case in a workspace of its own and keeps what it made", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const { err } = await assay(RUN, { cwd: project.root });
    expect(err).toContain("greeter: 2 trials with scripted");
    expect(await outcomes(project.root)).toEqual({
      "1/with_skill/run-1": "completed",
      "2/with_skill/run-1": "completed",
    });
    const run = (id: number) => project.path(`.assay/greeter/iteration-1/eval-${id}/with_skill/run-1`);
    expect(await readFile(join(run(1), "output.txt"), "utf8")).toBe("Hello Ada");
    expect(await readFile(join(run(2), "outputs/bob.txt"), "utf8")).toBe("Hello Bob\n");
    expect(await readdir(join(run(1), "outputs"))).not.toContain("bob.txt");
  });

  it("tells when each agent worked: one after the other where there is room for one", async () => {
    await using project = await greeterProject([{ steps: [{ sleepMs: 300 }, { text: "Hello" }] }]);
    await assay([...RUN, "--concurrency", "1"], { cwd: project.root });
    const timing = async (id: number) => {
      const path = `.assay/greeter/iteration-1/eval-${id}/with_skill/run-1/timing.json`;
      const file = JSON.parse(await readFile(project.path(path), "utf8")) as Record<string, string>;
      return { start: Date.parse(file["executor_start"] ?? ""), end: Date.parse(file["executor_end"] ?? "") };
    };
    const [first, second] = [await timing(1), await timing(2)].toSorted((a, b) => a.start - b.start);
    // Both are rounded to milliseconds.
    expect(second?.start).toBeGreaterThanOrEqual((first?.end ?? Infinity) - 1);
    const finished = (await journal(project.root)).filter((event) => event.kind === "trial-finished");
    for (const { run } of finished) {
      const { startedAt = "", endedAt = "" } = run.agentTime ?? {};
      expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Date.parse(run.startedAt));
      expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(run.durationMs);
    }
  });

  it("keeps as facts that the declared output is missing and that the agent changed the skill", async () => {
    const edit = "echo 'Be brief.' >> .claude/skills/greeter/SKILL.md";
    await using project = await greeterProject([{ steps: [{ bash: edit }, { text: "Hello Ada" }] }], {
      "skills/greeter/SKILL.eval.json": JSON.stringify({
        skill_name: "greeter",
        test_args: "Ada",
        output_file: "greeting.txt",
        assertions: [{ id: "hello", type: "contains", needle: "Hello Ada" }],
      }),
    });
    await assay(["run", "skills/greeter/SKILL.eval.json", ...RUN.slice(2)], { cwd: project.root });
    const events = await journal(project.root);
    const finished = events.filter((event) => event.kind === "trial-finished");
    expect(finished.map(({ run }) => run.skillEdits)).toEqual([[".claude/skills/greeter/SKILL.md"]]);
    expect(finished[0]?.run.output).toEqual({
      status: "missing",
      reason: expect.stringContaining("greeting.txt") as string,
    });
    const graded = events.find((event) => event.kind === "verdicts-recorded");
    expect(graded?.grading.verdicts).toMatchObject([{ checkId: "hello", status: "failed" }]);
  });

  it("does not run a finished trial again, and runs a changed one", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    const started = async () =>
      (await journal(project.root)).filter((event) => event.kind === "trial-started").length;
    expect(await started()).toBe(2);
    await assay([...RUN, "--resume"], { cwd: project.root });
    expect(await started()).toBe(2);
    await writeFile(
      project.path("skills/greeter/SKILL.md"),
      "---\nname: greeter\ndescription: Greets.\n---\n\nSay hi.\n",
    );
    await assay([...RUN, "--resume"], { cwd: project.root });
    expect(await started()).toBe(4);
  });

  it("starts a new iteration each time otherwise", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    await assay(RUN, { cwd: project.root });
    expect(await readdir(project.path(".assay/greeter"))).toEqual(
      expect.arrayContaining(["iteration-1", "iteration-2"]),
    );
  });

  it("does not ask a service again that refused the request itself", async () => {
    const fail = { reason: "api", message: "there is no model opus-9", status: 404 };
    await using project = await greeterProject([
      { when: { prompt: "Ada" }, steps: [{ fail }] },
      {
        when: { prompt: "Bob" },
        steps: [{ fail: { reason: "api", message: "529: overloaded", status: 529 } }],
      },
    ]);
    const { err } = await assay(RUN, { cwd: project.root });
    expect(err.match(/there is no model/g)).toHaveLength(1);
    expect(err).toContain("2/with_skill/run-1 (attempt 3): api: 529: overloaded");
  });

  it("tells crashed agents from services that failed", async () => {
    await using project = await greeterProject([
      { when: { prompt: "Ada" }, steps: [{ exit: 3 }] },
      { when: { prompt: "Bob" }, steps: [{ fail: { reason: "auth", message: "no key" } }] },
    ]);
    const { exitCode, out } = await assay(RUN, { cwd: project.root });
    expect(await outcomes(project.root)).toEqual({
      "1/with_skill/run-1": "crashed",
      "2/with_skill/run-1": "auth",
    });
    expect(out).toContain("left out: 1 auth");
    expect(exitCode).toBe(3);
  });

  it("stops at the deadline and says so", async () => {
    await using project = await greeterProject([
      { steps: [{ text: "thinking" }, { grandchild: { seconds: 30 } }, { hang: { ignoreSignals: true } }] },
    ]);
    const started = performance.now();
    await assay([...RUN, "--timeout", "1", "--case", "1"], { cwd: project.root });
    expect(await outcomes(project.root)).toEqual({ "1/with_skill/run-1": "timed-out" });
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it("hides the evals, the results and the host's environment from the agent", async () => {
    const look = "env; find . ~ -type f -not -path './.git/*'; grep -rl 'expectations\\|Hello Ada' . || true";
    await using project = await greeterProject([{ steps: [{ bash: look }, { text: "looked" }] }], {
      "notes.txt": "a project file\n",
      ".assay/greeter/iteration-1/secret.txt": "Hello Ada",
    });
    await assay([...RUN, "--case", "1"], { cwd: project.root, env: { CANARY_VALUE: "canary-of-the-host" } });
    const transcript = await readFile(
      project.path(".assay/greeter/iteration-2/eval-1/with_skill/run-1/transcript.jsonl"),
      "utf8",
    );
    expect(transcript).toContain("notes.txt");
    expect(transcript).not.toContain("canary-of-the-host");
    expect(transcript).not.toContain("evals.json");
    expect(transcript).not.toContain("secret.txt");
  });

  it("masks secrets in everything it writes", async () => {
    const key = "sk-ant-test-0123456789abcdefghij";
    await using project = await greeterProject([
      {
        steps: [
          { text: `the key is ${key}` },
          { stderr: key },
          { write: { path: "leak.txt", content: key } },
        ],
      },
    ]);
    await assay([...RUN, "--case", "1"], { cwd: project.root, env: { ANTHROPIC_API_KEY: key } });
    const written = await everything(project.root);
    expect(written).toContain("the key is [masked]");
    expect(written).not.toContain(key);
  });

  it.each([
    [["--harness", "claud-code"], "run/unknown-harness", "did you mean claude-code?"],
    [["--harness", "claude-code"], "run/no-client", "npm install -g @anthropic-ai/claude-code"],
    [["--case", "nope"], "run/nothing-selected", "cases: 1"],
    [["--shard", "5/4"], "--shard", "i from 1 to n"],
    [["--concurrency", "0"], "--concurrency", "at least 1"],
    [["--timeout", "0"], "--timeout", "above 0"],
    [["--sandbox", "docker"], "run/unknown-sandbox", ""],
    [["--script", "nope.json"], "run/bad-script", "there is no such file"],
    [["--reporter", "html5"], "run/unknown-reporter", "terminal"],
    [["--workspace", "script.json"], "store/unwritable", "--workspace"],
  ])("refuses %j with exit 2", async (flags, code, hint) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const { exitCode, err, out } = await assay([...RUN, ...flags], {
      cwd: project.root,
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(err).toContain(code);
    expect(err).toContain(hint);
    expect(out).toBe("");
    expect(exitCode).toBe(2);
  });

  it("asks before it runs scripts of an eval file", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await mkdir(project.path("skillet"));
    await writeFile(
      project.path("skillet/001.yaml"),
      "timestamp: 2026-01-01T00:00:00Z\nname: greeter\nprompt: Greet Ada\nexpected: hello\nsetup: echo ready > ready.txt\nteardown: exit 4\n",
    );
    const run = [
      "run",
      "skillet",
      "--skill",
      "skills/greeter",
      "--harness",
      "scripted",
      "--script",
      "script.json",
    ];
    const refused = await assay(run, { cwd: project.root });
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.err).toContain("--trust");
    await assay([...run, "--trust"], { cwd: project.root });
    const finished = (await journal(project.root)).find((event) => event.kind === "trial-finished");
    expect(finished?.run.outcome.status).toBe("completed");
    expect(finished?.run.notes.join()).toContain("the teardown script ended with exit code 4");
  });

  it("skips a case whose setup fails and still tears down", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await mkdir(project.path("skillet"));
    await writeFile(
      project.path("skillet/001.yaml"),
      "timestamp: 2026-01-01T00:00:00Z\nname: greeter\nprompt: Greet Ada\nexpected: hello\nsetup: echo broken >&2; exit 1\nteardown: exit 5\n",
    );
    const { exitCode } = await assay(
      [
        "run",
        "skillet",
        "--skill",
        "skills/greeter",
        "--harness",
        "scripted",
        "--script",
        "script.json",
        "--trust",
      ],
      { cwd: project.root },
    );
    const finished = (await journal(project.root)).find((event) => event.kind === "trial-finished");
    expect(finished?.run.outcome).toMatchObject({
      status: "setup-skipped",
      message: expect.stringContaining("broken") as string,
    });
    expect(finished?.run.notes.join()).toContain("teardown script ended with exit code 5");
    expect(exitCode).toBe(3);
  });
});
