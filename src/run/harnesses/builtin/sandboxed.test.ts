import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseScript } from "../../../gateway/sim/read-script.ts";
import { startSim } from "../../../gateway/sim/server.ts";
import { HarnessBench } from "../../fixtures/harness-bench.ts";
import type { Harness } from "../../harness.ts";
import { bwrap } from "../../sandboxes/bwrap.ts";
import { agent, results } from "./fixtures/play.ts";

const sandbox = bwrap();
const unavailable = await sandbox.unavailable();

describe.skipIf(unavailable !== null)(`in a sandbox (${unavailable ?? "bwrap"})`, () => {
  it("keeps every tool inside", async () => {
    using bench = new HarnessBench();
    const secret = join(bench.folder, "secret.txt");
    writeFileSync(secret, "SECRET");
    const input = { file_path: secret, content: "changed", old_string: "SECRET", new_string: "changed" };
    const calls = [
      ...["Read", "Write", "Edit"].map((tool) => ({ tool, input })),
      { tool: "Bash", input: { command: `cat ${secret}; ps aux; pwd; ls .claude/skills` } },
      { tool: "Skill", input: { skill: "greeter" } },
    ];
    const sim = await startSim(parseScript(JSON.stringify({ replies: [calls, "Done."] })));
    onTestFinished(() => sim.close());
    const { run, events } = await bench.drive(
      inSandbox(agent("anthropic"), bench),
      { kind: "turns", turns: ["Do it."] },
      {
        skill: "greeter",
        context: { endpoint: { baseUrl: sim.url, token: "t" } },
        contained: sandbox.contained,
      },
    );
    expect(run).toMatchObject({ outcome: { status: "completed" }, skillsOffered: ["greeter"] });
    expect(readFileSync(secret, "utf8")).toBe("SECRET");
    const outputs = results(events).map(({ output }) => output);
    expect(outputs.join("\n")).not.toContain("SECRET");
    expect(outputs[3]).toContain("/sandbox/workspace\ngreeter");
    expect(outputs[4]).toContain("Base directory for this skill: /sandbox/workspace/.claude/skills/greeter");
  });
});

/** The same agent, its programs in bubblewrap. */
function inSandbox(harness: Harness, bench: HarnessBench): Harness {
  const { workspace, home, temp } = bench.places;
  const ground = {
    id: "builtin",
    workspace: { kind: "directory", path: workspace },
    home,
    temp,
    readable: [],
  } as const;
  return {
    ...harness,
    run: (request, context) =>
      harness.run(request, {
        ...context,
        places: sandbox.places(ground),
        start: async (command, watch) => context.start(await sandbox.wrap(command, ground), watch),
      }),
  };
}
