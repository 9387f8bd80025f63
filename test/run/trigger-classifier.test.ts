import { describe, expect, it, onTestFinished } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import type { TempTree } from "../support/temp-tree.ts";
import {
  run,
  runWith,
  result,
  finished,
  SHOULD,
  SHOULD_NOT,
  FIRE_CANARY,
  triggerProject,
} from "../support/trigger-project.ts";

describe("--harness classifier", () => {
  /** The model picks by a word in the message; the skills are listed in the order of their names. */
  const picks = (rules: Readonly<Record<string, string | number>>) =>
    Object.entries({ "Use the skill": 1, ...rules }).map(([word, pick]) => ({
      when: { userText: { regex: `<message-\\w+>[^<]*${word}` } },
      reply: typeof pick === "string" ? pick : { json: { reason: "", skill: pick } },
    }));

  async function ask(tree: TempTree, rules: Parameters<typeof picks>[0], ...args: readonly string[]) {
    const sim = await startSim(parseScript(JSON.stringify({ rules: picks(rules) })));
    onTestFinished(() => sim.close());
    const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "fake-key-1234" };
    return { ...(await runWith(tree, env, args)), sim };
  }

  it("replays what was recorded without a key or a server", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms: "" });
    const args = ["--harness", "classifier", "--max-runs", "1"];
    await ask(tree, { greet: 1, add: 0 }, ...args, "--record");
    const { exitCode, err } = await runWith(tree, {}, [...args, "--replay"]);
    expect(err).not.toContain("error");
    expect(exitCode).toBe(0);
    const [first, second] = [
      await result<TriggersFile>(tree, "triggers.json"),
      await result<TriggersFile>(tree, "triggers.json", 2),
    ];
    expect(second.results).toEqual(first.results);
  });

  it("asks a model in place of an agent, and nothing but trigger queries", async () => {
    await using tree = await triggerProject({
      queries: [SHOULD, SHOULD_NOT],
      arms: "",
      files: {
        "skills/greeter/evals/evals.json":
          '{"skill_name":"greeter","evals":[{"id":1,"prompt":"x","expectations":["y"]}]}',
      },
    });
    const { exitCode, sim, err } = await ask(
      tree,
      { greet: 1, add: 0 },
      "--harness",
      "classifier",
      "--max-runs",
      "1",
    );
    expect(err).not.toContain("error");
    expect(exitCode).toBe(0);
    expect(sim.requests.filter(({ method }) => method === "POST")).toHaveLength(4);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results.map(({ trigger_rate }) => trigger_rate)).toEqual([1, 0]);
    expect((await finished(tree)).every(({ run: one }) => (one.usage.inputTokens ?? 0) > 0)).toBe(true);
  });

  it("leaves out what it cannot read, and never takes it for silence", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms: "" });
    const { exitCode } = await ask(
      tree,
      { greet: 1, add: "I would not know." },
      "--harness",
      "classifier",
      "--runs",
      "1",
    );
    expect(exitCode).toBe(3);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[1]).toMatchObject({ status: "unscored", pass: false, left_out: { api: 1 } });
  }, 60_000);

  it("is compared with what an agent did", async () => {
    await using tree = await triggerProject({
      queries: [SHOULD, SHOULD_NOT, { query: "wave at Bob", should_trigger: true }],
      arms: `${FIRE_CANARY}\n*greet*|*wave*) fire "$ASSAY_SKILL" ;;`,
    });
    const { out } = await ask(
      tree,
      { greet: 1, add: 0, wave: 0 },
      "--harness",
      "command,classifier",
      "--runs",
      "1",
    );
    expect(out).toContain("agrees with command (iteration-1) on 2 of 3");
    const file = await result<TriggersFile>(tree, "triggers.json", 2);
    expect(file.agreement).toMatchObject({
      bothFire: 1,
      neitherFires: 1,
      onlyHere: [],
      onlyThere: ["wave at Bob"],
    });
  });

  it("says before it runs that it has nobody to ask", async () => {
    await using tree = await triggerProject({ queries: [SHOULD], arms: "" });
    const { exitCode, err } = await run(tree, "--harness", "classifier");
    expect(exitCode).toBe(2);
    expect(err).toContain("ANTHROPIC_API_KEY");
  });
});
