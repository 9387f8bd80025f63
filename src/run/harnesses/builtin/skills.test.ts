import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listedSkills } from "../../../wires/skill-listing.ts";
import { parseScript } from "../../../gateway/sim/read-script.ts";
import { startSim } from "../../../gateway/sim/server.ts";
import { HarnessBench } from "../../fixtures/harness-bench.ts";
import { agent, play, results, sent, SKILL } from "./fixtures/play.ts";

describe("skills", () => {
  const files = {
    ".claude/skills/greeter/SKILL.md": SKILL,
    ".claude/skills/greeter/data.txt": "data",
    ".claude/skills/hidden/SKILL.md":
      "---\nname: hidden\ndescription: x\ndisable-model-invocation: true\n---\nNo.",
    ".claude/skills/broken/SKILL.md": "---\nname: [\n---\nFirst line.\nMore",
    ".claude/commands/deploy.md": "Deploy it.",
  };

  it("are listed to the model, and the run says which", async () => {
    const { run, sim } = await play({ script: "replies: [Hi.]", files });
    expect(run.skillsOffered).toEqual(["broken", "greeter", "deploy"]);
    expect(listedSkills("messages", sent(sim, 0)).map(({ name }) => name)).toEqual([
      "broken",
      "greeter",
      "deploy",
    ]);
    expect(JSON.stringify(sent(sim, 0))).toContain("Greets &lt;people&gt; &amp; things");
    expect(JSON.stringify(sent(sim, 0))).toContain("First line.");
  });

  it("are loaded by the tool, with their place and arguments", async () => {
    const { events, bench } = await play({
      script: "replies: [[{tool: skill, input: {name: greeter, args: Ada}}], Hello.]",
      files,
    });
    const directory = join(bench.places.workspace, ".claude/skills/greeter");
    expect(results(events)[0]).toMatchObject({
      output: `Base directory for this skill: ${directory}\n\nSay hello to Ada.`,
      isError: false,
    });
    expect(events.filter(({ kind }) => kind === "skill-activated")).toMatchObject([
      { skill: "greeter", by: "tool" },
    ]);
  });

  it.each(["hidden", "unknown"])("that are not listed cannot be loaded: %s", async (name) => {
    const { events } = await play({
      script: `replies: [[{tool: skill, input: {name: ${name}}}], Oh.]`,
      files,
    });
    expect(results(events)[0]).toMatchObject({
      isError: true,
      output: expect.stringContaining("there are: broken"),
    });
    expect(events.some(({ kind }) => kind === "skill-activated")).toBe(false);
  });

  it.each([
    "{tool: read, input: {path: .claude/skills/greeter/SKILL.md}}",
    '{tool: bash, input: {command: "cat .claude/skills/greeter/SKILL.md"}}',
  ])("count as taken up when they are read: %s", async (call) => {
    const { events } = await play({ script: `replies: [[${call}], Hello.]`, files });
    expect(events.filter(({ kind }) => kind === "skill-activated")).toMatchObject([
      { skill: "greeter", by: "read" },
    ]);
  });

  it("without any, the tool is not offered", async () => {
    const { run, sim } = await play({ script: "replies: [Hi.]" });
    expect(run.skillsOffered).toEqual([]);
    expect(sim.requests[0]?.seen?.tools).toEqual(["Bash", "Read", "Write", "Edit", "Submit"]);
  });

  it("are invoked with their text in the message", async () => {
    const sim = await startSim(parseScript("replies: [Hello.]"));
    onTestFinished(() => sim.close());
    const bench = new HarnessBench();
    onTestFinished(() => bench[Symbol.dispose]());
    const { run, events } = await bench.drive(
      agent("anthropic"),
      { kind: "invocation", args: "Ada" },
      { skill: "greeter", context: { endpoint: { baseUrl: sim.url, token: "t" } } },
    );
    expect(run.outcome).toEqual({ status: "completed" });
    expect(events.slice(0, 2)).toMatchObject([
      { kind: "message", text: "/greeter Ada" },
      { kind: "skill-activated", skill: "greeter", by: "invocation" },
    ]);
    expect(sim.requests[0]?.seen?.userText).toMatch(
      /^Base directory for this skill: .*greeter\n\nGreet Ada in hexadecimal\.$/,
    );
  });
});
