import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { exampleProject, type ImproveProject, roundArtifacts } from "../support/improve-kit.ts";
import { sameQuestion } from "../support/same-question.ts";
import { strictDoor } from "../support/strict-door.ts";
import { DECISION_ROUNDS, fixture } from "./example.ts";

const { script, suite, skill } = DECISION_ROUNDS;
/** One thing at a time, so that at most one answer is under way when the runner is stopped. */
const ARGS = [...DECISION_ROUNDS.args, "--concurrency", "1", "--apply"];

/** More calls than there are points to be stopped at would mean that it does not get on. */
const MOST_CALLS = 200;

let command: Awaited<ReturnType<typeof builtCommand>>;
let whole: ImproveProject;
let expected: Readonly<Record<string, string>>;

beforeAll(async () => {
  command = await builtCommand();
  whole = await uninterrupted();
  expected = await roundArtifacts(whole, suite, skill);
}, 120_000);

afterAll(async () => {
  await whole[Symbol.asyncDispose]();
  await command[Symbol.asyncDispose]();
});

async function uninterrupted(...more: readonly string[]): Promise<ImproveProject> {
  const made = await exampleProject("decision-record", script);
  await untilDone(0, async () => {
    const { exitCode: code, err } = await made.assay(...ARGS, ...more);
    return { code, err };
  });
  return made;
}

interface Call {
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
}

function start(made: ImproveProject, { env, args = [], nodeArgs = [] }: Call) {
  const child = spawn(process.execPath, [...nodeArgs, command.path, ...ARGS, ...args], {
    cwd: made.root,
    env: { HOME: "/dev/null/home", ...made.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, "exit").then(([code]) => ({ code: code as number | null, err }));
  return { child, ended };
}

/** Without the looks at which models there are, which cost nothing and are made anew by each call. */
function toModels({ sim }: Pick<ImproveProject, "sim">) {
  return sim.requests.filter(({ method }) => method === "POST");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What models were asked that are no agents, by content. */
function questions({ sim }: ImproveProject): readonly string[] {
  return toModels({ sim })
    .filter(({ body }) => !JSON.stringify(body).includes('"name":"Bash"'))
    .map(({ body, rule }) => `${rule} ${digest(sameQuestion(JSON.stringify(body)))}`)
    .toSorted();
}

/** Calls until it is done, which it must be after being stopped often enough. Answers how many calls that took. */
async function untilDone(
  stoppedAs: number | null,
  call: () => Promise<{ readonly code: number | null; readonly err: string }>,
): Promise<number> {
  for (let calls = 1; calls <= MOST_CALLS; calls++) {
    const { code, err } = await call();
    if (code === 0) return calls;
    if (code !== stoppedAs) throw new Error(`it ended with ${code}: ${err}`);
  }
  throw new Error(`it was not done after ${MOST_CALLS} calls`);
}

describe("rounds that are stopped again and again", { timeout: 600_000 }, () => {
  it.each([
    ["SIGKILL", null, []],
    ["SIGKILL", null, ["--replay=auto"]],
    ["SIGINT", 130, []],
  ] as const)(
    "by %s at each question that is new go on with nothing lost or asked twice (%#)",
    async (signal, code, more) => {
      await using made = await exampleProject("decision-record", script);
      let stop = () => {};
      await using door = await strictDoor(made.sim.url, () => stop);
      const calls = await untilDone(code, () => {
        const { child, ended } = start(made, { env: { ANTHROPIC_BASE_URL: door.url }, args: more });
        let stopped = false;
        stop = () => {
          if (!stopped) child.kill(signal);
          stopped = true;
        };
        return ended;
      });
      expect(calls).toBeGreaterThan(30);
      expect(await roundArtifacts(made, suite, skill)).toEqual(expected);
      // A recording holds an answer for each time that a question is asked in a call, so equal outputs are judged one by one.
      await using alike = await uninterrupted(...more);
      expect(new Set(questions(made))).toEqual(new Set(questions(alike)));
      expect(questions(made).length).toBeLessThanOrEqual(questions(alike).length);
    },
  );

  it("by SIGKILL before each file that is new go on with nothing lost or asked twice", async () => {
    await using made = await exampleProject("decision-record", script);
    const log = made.path(".assay.deaths");
    const env = {
      DIE_LOG: log,
      DIE_ROOT: made.root,
      DIE_AT: "^skills/|^\\.assay/decision-record/(history\\.json|v\\d+/|grading/)",
    };
    const nodeArgs = ["--import", fixture("die-before-rename.mjs")];
    const calls = await untilDone(null, () => start(made, { env, nodeArgs }).ended);
    const deaths = (await readFile(log, "utf8")).trim().split("\n");
    expect(calls).toBe(deaths.length + 1);
    expect(made.git("status", "--porcelain", "skills").trim()).toBe(`M ${skill}`);
    expect(calls).toBeGreaterThan(30);
    expect(await roundArtifacts(made, suite, skill)).toEqual(expected);
    expect(questions(made)).toEqual(questions(whole));
    expect(toModels(made)).toHaveLength(toModels(whole).length);
  });
});
