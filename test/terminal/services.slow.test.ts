import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import type { Json } from "../../src/domain/json.ts";
import { builtCommand } from "../support/built-command.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { assayPane, type PaneSize } from "./assay-pane.ts";
import { bars, expectScreen, hasEnded } from "./screens.ts";
import { HAS_TMUX, type Pane } from "./tmux.ts";

const execute = promisify(execFile);

let command: Awaited<ReturnType<typeof builtCommand>>;

beforeAll(async () => {
  command = await builtCommand();
}, 180_000);

afterAll(async () => {
  await command[Symbol.asyncDispose]();
});

async function project(names: readonly string[]): Promise<TempTree> {
  const evals = names.map((name) => ({
    id: name,
    prompt: `Greet ${name}.`,
    assay: { checks: [{ type: "contains", needle: "Hello" }] },
  }));
  return await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people.\n---\n\nGreet.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
  });
}

const HELLO = { parts: ["Hello"], usage: { input: 20_000, output: 300 } };

/** A service that says Hello unless a rule says otherwise. */
async function service(...rules: readonly Json[]): Promise<Sim> {
  return await startSim(parseScript(JSON.stringify({ rules: [...rules, { reply: HELLO }] })));
}

async function paneTo(sim: Sim, tree: TempTree, size: PaneSize = {}): Promise<Pane> {
  const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "not-a-real-key" };
  const flags = "skills/greeter --harness builtin --model claude-sonnet-4-6 --sandbox none";
  return await assayPane(tree, { ...size, env, command: command.path, flags });
}

describe.skipIf(!HAS_TMUX)("what a model service does, seen at a terminal (needs tmux)", () => {
  it.each([
    { columns: 80, rows: 24 },
    { columns: 200, rows: 50 },
  ])(
    "keeps in sight what runs, what of the cap is spent and how the service holds back, at $columns x $rows",
    async (size) => {
      const quick = Array.from({ length: 20 }, (_, at) => `case-${String(at + 1).padStart(2, "0")}`);
      await using tree = await project([...quick, "zed"]);
      const go = tree.path("go");
      await using sim = await service(
        {
          when: { userText: "zed", step: 1 },
          reply: {
            parts: [{ tool: "bash", input: { command: `until [ -e ${go} ]; do sleep 0.05; done` } }],
            usage: { input: 1000, output: 100 },
          },
        },
        { when: { userText: "zed" }, fault: { status: 429, retryAfter: 300 } },
      );
      await using pane = await paneTo(sim, tree, size);
      await pane.type("assay run --max-cost 5 -j 2");
      await pane.until(
        (seen) => seen.includes("✓ 20/21") && seen.includes("20/21 trials") && seen.includes("until ["),
        "that all but one are done",
      );
      await writeFile(go, "");
      const held = await pane.until((seen) => /paused for \d+ s/.test(seen), "that the service holds back");
      const steady = held.replaceAll(/case-\d\d/g, "case-00").replace(/until \[.*/, "until …");
      await expectScreen(`${size.columns}x${size.rows}-limited`, steady);
      expect(held.match(/^greeter with builtin, model claude-sonnet-4-6$/gm)).toHaveLength(1);
      expect(held).toMatch(/^judge: none needed; sandbox: none; 21 trials, 2 at once$/m);
      expect(held).toMatch(/^estimate: /m);
      await pane.press("C-c");
      const ended = await pane.until(hasEnded, "the end");
      expect(ended).toContain("exit 130");
      expect(bars(ended)).toBe(0);
    },
  );

  it("shows at once what another terminal changes: a pause, the cap, how many run at once", async () => {
    const names = ["ada", "bob", "cyd"];
    await using tree = await project(names);
    await using sim = await service(
      ...names.map((name) => ({
        when: { userText: name, step: 1 },
        reply: {
          parts: [
            {
              tool: "bash",
              input: { command: `until [ -e ${tree.path(`go-${name}`)} ]; do sleep 0.05; done` },
            },
          ],
          usage: { input: 1000, output: 100 },
        },
      })),
    );
    await using pane = await paneTo(sim, tree);
    const working = (seen: string) => seen.match(/^ {2}• .*until \[/gm)?.length ?? 0;
    const steady = (seen: string) =>
      seen.replaceAll(/until \[.*/g, "until …").replaceAll(/ada|bob|cyd/g, "who");
    const control = async (...words: readonly string[]) =>
      await execute(process.execPath, [command.path, "control", ...words], { cwd: tree.root });
    await pane.type("assay run --max-cost 2 -j 1");
    await pane.until((seen) => working(seen) === 1 && seen.includes("$0.0045 of $2.00"), "one trial at work");
    await control("pause");
    const paused = await pane.until((seen) => seen.includes("  paused: running trials"), "the pause");
    await expectScreen("controlled-paused", steady(paused));
    const [, first] = /• (\w+)/.exec(paused) ?? [];
    await writeFile(tree.path(`go-${first}`), "");
    const resting = await pane.until(
      (seen) => seen.includes("✓ 1/3") && !seen.includes("  • "),
      "that nothing new starts",
    );
    expect(resting).toContain("  paused: running trials");
    await control("limit", "--max-cost", "9", "-j", "2");
    await pane.until((seen) => seen.includes("of $9.00  2 at once"), "the new limits");
    await control("resume");
    const resumed = await pane.until(
      (seen) => working(seen) === 2 && seen.includes("$0.0780 of"),
      "two trials at work",
    );
    await expectScreen("controlled-resumed", steady(resumed));
    for (const name of names) await writeFile(tree.path(`go-${name}`), "");
    const ended = await pane.until(hasEnded, "the end");
    expect(ended).toContain("exit 0");
    expect(bars(ended)).toBe(0);
  });

  it("counts down to the next attempt after a failure that may pass", async () => {
    await using tree = await project(["bob"]);
    await using sim = await service({ fault: { status: 500 }, times: 1 });
    await using pane = await paneTo(sim, tree);
    const log = tree.path("terminal.log");
    await pane.record(log);
    await pane.type("assay run --max-cost 5");
    expect(await pane.until(hasEnded, "the end")).toContain("exit 0");
    const written = await readFile(log, "utf8");
    expect(written).toMatch(/↻ bob .*retry in 2 s \(attempt 2\): /);
    expect(written).toContain("$0.00 of $5.00");
  });
});
