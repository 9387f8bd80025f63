import { describe, expect, it } from "vitest";
import { play, results, sent } from "./fixtures/play.ts";

describe("a turn", () => {
  it("ends with a submitted answer, which is what the agent said", async () => {
    const { run, events, sim } = await play({
      script: `replies:
        - [{tool: Submit, input: {answer: "42"}}, {tool: bash, input: {command: touch late}}]
        - "unused"
        - "Two."`,
      turns: ["first", "second"],
    });
    expect(run.outcome).toEqual({ status: "completed" });
    const said = events.filter((event) => event.kind === "message" && event.role === "assistant");
    expect(said).toMatchObject([{ text: "42" }, { text: "Two." }]);
    expect(JSON.stringify(sent(sim, 1))).toContain("not done: the answer was given");
  });

  it("ends at the limit of model responses", async () => {
    const { run, events } = await play(
      { script: `[{reply: [{tool: bash, input: {command: "true"}}]}]` },
      { options: { maxTurns: 3 } },
    );
    expect(run).toMatchObject({ outcome: { status: "max-turns" }, steps: 3 });
    expect(results(events)).toHaveLength(3);
  });

  it("goes on after a reply that was cut off, without its half call", async () => {
    const { run, events, sim } = await play({
      script: `replies: [{parts: [{tool: bash, input: {command: "touch half"}}], stop: length}, {parts: ["Half"], stop: length}, Done.]`,
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(results(events)[0]).toMatchObject({ isError: true, output: "the call was cut off and not made" });
    expect(JSON.stringify(sent(sim, 2))).toContain("Your reply was cut off");
  });

  it("may end without a word, and the next goes on", async () => {
    const { run, sim } = await play({ script: 'replies: [{text: ""}, Two.]', turns: ["first", "second"] });
    expect(run).toMatchObject({ outcome: { status: "completed" }, steps: 2 });
    expect(JSON.stringify(sent(sim, 1))).toContain("(no words)");
  });

  it("ends with a refusal", async () => {
    const { run, events } = await play({ script: "replies: [{refusal: I will not.}]" });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(events.at(-2)).toMatchObject({ kind: "message", text: "I will not." });
  });

  it.each([
    ["{status: 402, message: no money}", "budget", false],
    ["{drop: true}", "network", true],
    ["{status: 400, message: prompt is too long}", "api", false],
  ])("ends when the service does not answer: %s", async (fault, status, mayPass) => {
    const { run, events } = await play({ script: `[{fault: ${fault}}]` });
    expect(run.outcome).toMatchObject({ status, mayPass });
    expect(events.at(-1)).toMatchObject({ kind: "error" });
  });
});
