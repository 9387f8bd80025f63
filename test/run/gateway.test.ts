import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal, RUN } from "../support/project.ts";

/** Joined only inside the agent, so that no file of the test holds it and masking cannot hide a leak. */
const KEY = ["sk-ant-", "loopback-", "only-4711-0815"];
const LOOK = [
  `K=$(printf '%s%s%s' ${KEY.join(" ")})`,
  "D=$({ env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; find . ~ /tmp -type f -exec cat {} +; } 2>/dev/null | tr '\\0' '\\n')",
  '[[ "$D" == *"$K"* ]] && echo found || echo "not in ${#D} characters"',
].join("; ");

const BUILTIN = ["run", "skills/greeter", "--harness", "builtin", "--case", "1"];

describe("the way to the model service", () => {
  // It reads all that lies in the machine's folder of temporary files.
  it(
    "keeps the real key from the agent's environment, files and processes",
    { timeout: 120_000 },
    async () => {
      await using project = await greeterProject([{ steps: [{ bash: LOOK }, { text: "Hello Ada" }] }]);
      await using sim = await startSim(parseScript("replies: [unused]"));
      await assay([...RUN, "--case", "1"], {
        cwd: project.root,
        env: { ANTHROPIC_API_KEY: KEY.join(""), ANTHROPIC_BASE_URL: sim.url },
      });
      const transcript = await readFile(
        project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1/transcript.jsonl"),
        "utf8",
      );
      const found = transcript.split("\n").filter((line) => line.includes('"tool-result"'));
      expect(found.map((line) => (JSON.parse(line) as { output: string }).output.trim())).toEqual([
        expect.stringMatching(/^not in \d{3,} characters$/),
      ]);
    },
  );

  it("meters what the agent uses and sees which skills the model was offered", async () => {
    await using project = await greeterProject([]);
    await using sim = await startSim(
      parseScript("rules:\n  - reply: { parts: [Hello Ada], usage: { input: 900, output: 30 } }"),
    );
    const { exitCode } = await assay(BUILTIN, { cwd: project.root, env: service(sim.url) });
    const finished = (await journal(project.root)).find((event) => event.kind === "trial-finished");
    expect(finished?.run).toMatchObject({
      skillsOffered: ["greeter"],
      validity: { status: "verified" },
      usage: { inputTokens: 900, outputTokens: 30 },
    });
    expect(finished?.run.usage.costUsd).toBeGreaterThan(0);
    expect(sim.requests.map((request) => JSON.stringify(request.headers)).join()).not.toContain("assay-");
    expect(exitCode).toBe(0);
  });

  it("ends trials as budget, exits 3, and goes on with a higher cap", async () => {
    await using project = await greeterProject([]);
    await using sim = await startSim(
      parseScript("rules:\n  - reply: { parts: [Hello Ada], usage: { input: 900, output: 30 } }"),
    );
    const poor = await assay([...BUILTIN, "--max-cost", "0.0001"], {
      cwd: project.root,
      env: service(sim.url),
    });
    expect(poor.exitCode).toBe(3);
    expect(poor.out).toContain("left out: 1 budget");
    expect(toModels(sim)).toEqual([]);
    const rich = await assay([...BUILTIN, "--max-cost", "5", "--resume"], {
      cwd: project.root,
      env: service(sim.url),
    });
    expect(rich.exitCode).toBe(0);
  });

  it("counts what was spent before an interruption against the same cap", async () => {
    await using project = await greeterProject([]);
    await using sim = await startSim(
      parseScript("rules:\n  - reply: { parts: [Hello Ada], usage: { input: 100000, output: 30 } }"),
    );
    const run = [
      "run",
      "skills/greeter",
      "--harness",
      "builtin",
      "--runs",
      "3",
      "--concurrency",
      "1",
      "--case",
      "1",
      "--max-tokens",
      "150000",
    ];
    const first = await assay(run, { cwd: project.root, env: service(sim.url) });
    expect(first.out).toContain("left out: 1 budget");
    const sent = toModels(sim).length;
    await assay([...run, "--resume"], { cwd: project.root, env: service(sim.url) });
    expect(toModels(sim)).toHaveLength(sent);
  });

  it("refuses a budget that nothing could hold", async () => {
    await using project = await greeterProject([]);
    const without = await assay([...RUN, "--max-cost", "1"], { cwd: project.root });
    expect(without).toMatchObject({ exitCode: 2 });
    expect(without.err).toContain("run/unmetered-budget");
  });

  it("tells a rejected key from a skill that fails", async () => {
    await using project = await greeterProject([]);
    await using sim = await startSim(parseScript("rules:\n  - fault: { status: 401 }"));
    const { exitCode, out } = await assay(BUILTIN, { cwd: project.root, env: service(sim.url) });
    expect(out).toContain("left out: 1 auth");
    expect(exitCode).toBe(3);
  });
});

function service(url: string): Record<string, string> {
  return { ANTHROPIC_API_KEY: KEY.join(""), ANTHROPIC_BASE_URL: url };
}

/** Without the questions that come before a run, which no model answers. */
function toModels({ requests }: Sim) {
  return requests.filter(({ method }) => method === "POST");
}
