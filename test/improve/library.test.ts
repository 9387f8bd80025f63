import { describe, expect, it } from "vitest";
import type { Machine, ConsentQuestion } from "../../src/machine.ts";
import { improve, type ImproveEvent } from "../../src/operations/improve.ts";
import type { ImproveProject } from "../support/improve-kit.ts";
import { tempTree } from "../support/temp-tree.ts";
import { scriptedGreeter, SETUP, SKILL } from "./scripted-greeter.ts";

const BETTER = SKILL.replace("meh", "perfect");

describe("improve, called by a program", { timeout: 60_000 }, () => {
  it("tells what happens as events, and answers what changed and whether it was written", async () => {
    await using made = await scriptedGreeter();
    const events: ImproveEvent[] = [];
    const questions: ConsentQuestion[] = [];
    await using home = await caller(made, async (question) => questions.push(question) > 0);
    const { machine, options } = home;
    const { rounds, best, end, change, adoption } = await improve(
      { ...options, apply: true },
      { machine, on: (event) => void events.push(event) },
    );
    expect(events.map(({ kind }) => kind)).toEqual([
      "asking",
      "planned",
      "measuring",
      "planned",
      "round",
      "drafted",
      "measuring",
      "round",
      "confirming",
      "confirmed",
    ]);
    const planned = events.filter((event) => event.kind === "planned");
    expect(planned).toMatchObject([
      { exploring: 2, confirming: 10, minutes: null },
      { exploring: 2, confirming: 10, minutes: expect.any(Number) as number },
    ]);
    expect(questions.map((one) => one.kind === "run-scripts" && one.scripts.map(({ text }) => text))).toEqual(
      [[SETUP]],
    );
    expect(rounds.map(({ result }) => result)).toEqual(["baseline", "won"]);
    expect({ best, end, adoption }).toEqual({
      best: 1,
      end: { kind: "goal" },
      adoption: { status: "applied" },
    });
    expect(change).toMatchObject({ path: "skills/greeter/SKILL.md", before: SKILL, after: BETTER });
    expect(await made.text("skills/greeter/SKILL.md")).toBe(BETTER);
  });

  it("is not stopped by a listener that throws", async () => {
    await using made = await scriptedGreeter();
    await using home = await caller(made, async () => true);
    const { machine, options, notes } = home;
    const { adoption } = await improve(options, {
      machine,
      on() {
        throw new Error("deaf");
      },
    });
    expect(notes).toContain("the listener failed and is left out: deaf");
    expect(adoption).toEqual({ status: "not-asked" });
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
  });

  it("asks nobody and runs nothing where nobody can agree to the scripts", async () => {
    await using made = await scriptedGreeter();
    await using home = await caller(made, async () => null);
    const { machine, options } = home;
    await expect(improve(options, { machine })).rejects.toMatchObject({ code: "run/untrusted-script" });
    expect(made.sim.requests).toEqual([]);
  });

  it("refuses an option that it does not have, or of another kind, as the command line does", async () => {
    await using made = await scriptedGreeter();
    await using home = await caller(made, async () => true);
    const { machine } = home;
    await expect(improve({ round: 1 } as object, { machine })).rejects.toMatchObject({
      code: "options/unknown",
      hint: "did you mean rounds?",
    });
    await expect(improve({ rounds: 0 }, { machine })).rejects.toMatchObject({ code: "options/invalid" });
  });

  it("rejects with the signal's reason", async () => {
    await using made = await scriptedGreeter();
    await using home = await caller(made, async () => true);
    const { machine, options } = home;
    const reason = new Error("enough");
    await expect(improve(options, { machine, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

/** A program in the project, with a home of its own for as long as the test takes. */
async function caller(made: ImproveProject, consent: Machine["consent"]) {
  const notes: unknown[] = [];
  const home = await tempTree();
  const machine: Machine = {
    env: { ...made.env, XDG_CONFIG_HOME: home.root },
    cwd: made.root,
    home: home.root,
    now: () => new Date(),
    note: (note) => void notes.push(note),
    consent,
  };
  const agent = { harnesses: ["command"], command: made.path("agent.sh"), sandbox: "none" };
  const options = { ...agent, skill: "skills/greeter", runs: 1, rounds: 1, allowMissing: 10 };
  return { machine, notes, options, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}
