import { chmod } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { seededRandom } from "../../src/stats/random.ts";
import { assay } from "../support/command-line.ts";
import { SKILL } from "../support/greeters.ts";
import { tempTree } from "../support/temp-tree.ts";
import { triggerProject } from "../support/trigger-project.ts";

const CALLS = 40;
const MOST_RUNS = 9;
const QUERIES = Array.from({ length: 16 }, (_, at) => ({
  query: `${at % 2 === 0 ? "please greet" : "please add"} number ${at}.`,
  should_trigger: at % 2 === 0,
}));

/** What the model picks on each query, coin by coin: the skill fires at 0.9 where it should and at 0.05 where it should not. */
function coins(random: () => number) {
  return QUERIES.flatMap(({ query, should_trigger }) =>
    Array.from({ length: CALLS * MOST_RUNS }, () => ({
      when: { userText: { regex: `<message-\\w+>[^<]*${query.replace(".", "\\.")}` } },
      reply: { json: { reason: "", skill: random() < (should_trigger ? 0.9 : 0.05) ? 1 : 0 } },
      times: 1,
    })),
  );
}

it("an unchanged skill goes red in at most 4 of 40 calls", async () => {
  const canary = {
    when: { userText: { regex: "Use the skill" } },
    reply: { json: { reason: "", skill: 1 } },
  };
  const rules = [canary, ...coins(seededRandom(15))];
  await using sim = await startSim(parseScript(JSON.stringify({ rules })));
  await using tree = await triggerProject({ queries: QUERIES, arms: "" });
  const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "fake-key-1234" };
  let red = 0;
  let repeated = 0;
  for (let call = 0; call < CALLS; call++) {
    const { exitCode, err } = await assay(["run", "skills/greeter", "--harness", "classifier"], {
      cwd: tree.root,
      env,
    });
    expect(exitCode).toBeLessThanOrEqual(1);
    red += exitCode;
    repeated += Number(/trials with classifier, resumed/.test(err));
  }
  expect(red).toBeLessThanOrEqual(4);
  // In most calls some query is in doubt and asked again.
  expect(repeated).toBeGreaterThan(CALLS / 2);
}, 1_800_000);

/** Greets when the next coin is below what the last line of the installed skill says. */
const GAMBLER = `#!/bin/bash
cat > /dev/null
state="$(dirname "$0")/.assay"
n=$(( $(cat "$state/count" 2>/dev/null || echo 0) + 1 )); echo $n > "$state/count"
coin=$(sed -n "\${n}p" "$state/coins")
[ "$coin" -lt "$(tail -n 1 .claude/skills/greeter/SKILL.md)" ] && echo Hello || echo Bye
`;

it("a version that breaks five cases is worse, and fails the build", async () => {
  const random = seededRandom(15);
  const evals = [1, 2, 3, 4, 5].map((id) => ({
    id,
    prompt: `Greet number ${id}.`,
    assay: { checks: [{ type: "contains", needle: "Hello" }] },
  }));
  await using tree = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": SKILL("10"),
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "before/greeter/SKILL.md": SKILL("90"),
    ".assay/coins": Array.from({ length: 100 }, () => Math.floor(100 * random())).join("\n"),
    "agent.sh": GAMBLER,
  });
  await chmod(tree.path("agent.sh"), 0o755);
  const agent = ["--harness", "command", "--command", tree.path("agent.sh"), "--sandbox", "none"];
  const words = ["bench", "skills/greeter", "--against", "before/greeter", "--concurrency", "1", ...agent];
  const { exitCode, out } = await assay(words, { cwd: tree.root });
  expect(out).toContain("greeter: WORSE, the new version against the old one");
  expect(out).toContain("Worse on these 5 cases");
  expect(exitCode).toBe(1);
});
