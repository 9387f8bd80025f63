import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import type { HarnessContext, HarnessRequest } from "../../src/run/harness.ts";
import { evaluate, show } from "../../src/index.ts";
import { caller, configured, hangUntilStopped, harnessLike, SAID_HELLO } from "../support/library-caller.ts";
import { greeterProject } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

const MINE = { targets: ["skills/greeter"], harnesses: ["mine"] } as const;

type RunHarness = (request: HarnessRequest, context: HarnessContext) => unknown;

function run(project: TempTree, run: RunHarness, options: object = {}, door: object = {}) {
  const config = configured({
    harnesses: harnessLike({ run, ...("harness" in door && (door.harness as object)) }),
  });
  return evaluate({ ...MINE, ...options }, { ...caller(project), config, ...door });
}

/** What became of the trials, by the file that keeps it. */
async function runsOf(project: TempTree): Promise<readonly Run[]> {
  const text = await readFile(project.path(".assay/greeter/iteration-1/journal.jsonl"), "utf8");
  const events = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; run: Run });
  return events.filter(({ kind }) => kind === "trial-finished").map((event) => event.run);
}

function expectNoLock(project: TempTree): void {
  expect(existsSync(project.path(".assay/greeter/iteration-1/runner.lock"))).toBe(false);
}

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const NO_ADA = ({ prompt }: HarnessRequest) => prompt.kind === "turns" && !prompt.turns[0]?.includes("Ada");

describe("a harness of one's own that fails in a trial", () => {
  const emitting =
    (...args: unknown[]): RunHarness =>
    async (_, { emit }) => {
      (emit as (...all: unknown[]) => void)(...args);
      return SAID_HELLO;
    };

  it.each<[string, RunHarness, RegExp]>([
    [
      "throws",
      () => {
        throw new Error("BOOM");
      },
      /the harness mine failed: BOOM$/,
    ],
    [
      "rejects",
      async () => {
        throw new Error("BOOM");
      },
      /the harness mine failed: BOOM$/,
    ],
    [
      "throws nothing at all",
      () => {
        throw undefined;
      },
      /the harness mine failed: it threw undefined$/,
    ],
    ["answers null", async () => null, /what run returned must be an object, not null/],
    ["answers a number", async () => 5, /what run returned must be an object/],
    ["answers nothing", async () => undefined, /what run returned must be a value, not undefined/],
    ["answers an empty object", async () => ({}), /what run returned has no "outcome"/],
    [
      "answers skills that are no list",
      async () => ({ ...SAID_HELLO, skillsOffered: "x" }),
      /skillsOffered must be a list/,
    ],
    [
      "answers a status that is none",
      async () => ({ ...SAID_HELLO, outcome: { status: "ok" } }),
      /outcome\.status is "ok"/,
    ],
    ["emits a number", emitting(5), /what was emitted must be an object/],
    [
      "emits a circle",
      emitting({ kind: "tool-call", callId: "1", tool: "Bash", input: cyclic }),
      /cannot be written as JSON/,
    ],
    [
      "emits a turn that is none",
      emitting({ kind: "thinking", text: "" }, { turn: "x" }),
      /turn must be an integer/,
    ],
    [
      "starts no program",
      async (_, { start }) => start(5 as never, null as never),
      /the command to start must be an object/,
    ],
    [
      "watches with nothing",
      async (_, { start, places, env }) =>
        start({ program: "/bin/true", args: [], cwd: places.workspace, env, stdin: "" }, null as never),
      /a function that watches/,
    ],
  ])("leaves that trial out and goes on with the others: it %s", async (_, fail, reason) => {
    await using project = await greeterProject([]);
    const { reports, ended, failures } = await run(project, (request, context) =>
      NO_ADA(request) ? fail(request, context) : SAID_HELLO,
    );
    expect({ ended, failures }).toEqual({ ended: "complete", failures: [] });
    expect(reports.map(({ summary }) => summary.verdict)).toEqual(["unfinished"]);
    const outcomes = (await runsOf(project)).map(({ outcome }) => outcome);
    expect(outcomes).toContainEqual({ status: "completed" });
    expect(outcomes).toContainEqual({
      status: "invalid",
      message: expect.stringMatching(reason),
      mayPass: false,
    });
    const gradings = reports.flatMap(({ evaluated }) => [...evaluated.gradings.values()]);
    expect(gradings.flatMap(({ verdicts }) => verdicts)).toHaveLength(1);
    expect(existsSync(project.path(".assay/greeter/iteration-1/summary.json"))).toBe(true);
    expect(await show({ run: "1" }, caller(project))).toBeDefined();
    expectNoLock(project);
  });
});

describe("a harness of one's own that cannot be used", () => {
  it.each<[string, object, RegExp]>([
    ["has a skills folder that is a number", { skillsFolder: 5 }, /skillsFolder must be a string/],
    ["has a skills folder outside", { skillsFolder: "../../x" }, /skillsFolder leaves its root/],
    ["has no run", { run: 5 }, /it has no function run/],
    ["finds nothing", { find: async () => null }, /what find returned must be an object, not null/],
    [
      "finds what is no list",
      { find: async () => ({ name: "m", version: null, readable: "x" }) },
      /readable must be a list/,
    ],
    [
      "throws nothing at all",
      {
        find: () => {
          throw undefined;
        },
      },
      /it threw undefined/,
    ],
  ])("is refused before anything begins: it %s", async (_, changes, message) => {
    await using project = await greeterProject([]);
    const config = configured({ harnesses: harnessLike(changes) });
    await expect(evaluate(MINE, { ...caller(project), config })).rejects.toMatchObject({
      name: "UserError",
      code: "config/plugin-failed",
      message: expect.stringMatching(message),
    });
    expect(existsSync(project.path(".assay/greeter"))).toBe(false);
  });
});

describe("what a harness of one's own is given", () => {
  it("is the same in every run, whatever an earlier one tried", async () => {
    await using project = await greeterProject([]);
    const seen: string[][] = [];
    await run(
      project,
      (request) => {
        const { turns } = request.prompt as unknown as { turns: string[] };
        seen.push([...turns]);
        turns.push("EVIL");
        return SAID_HELLO;
      },
      { runs: 3, cases: ["1"] },
    );
    expect(seen).toEqual([["Greet Ada"], ["Greet Ada"], ["Greet Ada"]]);
    const messages = (await runsOf(project)).map(({ outcome }) =>
      "message" in outcome ? outcome.message : "",
    );
    expect(messages).toEqual(
      Array(3).fill(expect.stringMatching(/the harness mine failed: .*not extensible/)),
    );
  });

  it("cannot be changed for what comes after it", async () => {
    await using project = await greeterProject([]);
    await run(project, (_, context) => {
      (context.env as Record<string, string>)["PATH"] = "/evil";
      return SAID_HELLO;
    });
    expect((await runsOf(project)).map(({ outcome }) => outcome.status)).toEqual(["invalid", "invalid"]);
  });
});

describe("a harness of one's own that does not end", { timeout: 30_000 }, () => {
  it.each([true, false])(
    "is given up after its trial's deadline (only programs: %s)",
    async (onlyPrograms) => {
      await using project = await greeterProject([]);
      const door = { harness: { onlyPrograms } };
      let late: (answer: unknown) => void = () => {};
      const { reports, ended } = await run(
        project,
        (request, { emit }) => {
          if (!NO_ADA(request)) return SAID_HELLO;
          emit({ kind: "message", role: "assistant", text: "wait" });
          return new Promise((resolve) => {
            late = (answer) => {
              emit({ kind: "message", role: "assistant", text: "too late" });
              resolve(answer);
            };
          });
        },
        { timeoutSeconds: 1 },
        door,
      );
      late(SAID_HELLO);
      expect(ended).toBe("complete");
      expect(reports).toHaveLength(1);
      const given = (await runsOf(project)).find(({ outcome }) => outcome.status === "invalid");
      expect(given?.outcome).toMatchObject({
        message: "the harness mine failed: it kept running after the deadline of its trial",
      });
      expectNoLock(project);
    },
  );

  it("is given up when the call is stopped, also by a timeout", async () => {
    await using project = await greeterProject([]);
    const { hang, signal } = hangUntilStopped();
    const { ended, reports } = await run(project, hang, { cases: ["1"] }, { signal });
    expect(ended).toBe("interrupted");
    expect(reports).toHaveLength(1);
    expect((await runsOf(project)).map(({ outcome }) => outcome)).toMatchObject([
      {
        status: "interrupted",
        message: "the harness mine failed: it kept running after the call was stopped",
      },
    ]);
    expectNoLock(project);
  });

  it("is given up when it looks for its client and the call is stopped", async () => {
    await using project = await greeterProject([]);
    const { hang, signal } = hangUntilStopped();
    const config = configured({ harnesses: harnessLike({ find: hang }) });
    const door = { ...caller(project), config, signal };
    expect(await evaluate(MINE, door)).toEqual({ reports: [], ended: "interrupted", failures: [] });
    expect(existsSync(project.path(".assay/greeter"))).toBe(false);
  });
});
