import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UserError } from "../../domain/user-error.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { type BenchOptions, HarnessBench } from "../fixtures/harness-bench.ts";
import type { Harness, HarnessRequest } from "../harness.ts";
import { type Act, harnessContract } from "../harness.contract.ts";
import { commandHarness } from "./command.ts";

harnessContract("command", {
  make: async (turns) => {
    const { harness, remove } = program(agentScript(turns));
    return { harness, endpoint: null, [Symbol.asyncDispose]: async () => remove() };
  },
});

describe("a program that only prints", () => {
  it("says what it prints, blank lines and all, as one message", async () => {
    const { run, events } = await drive("printf 'One\\n\\n  Two\\n{ not json\\n\\n'");
    expect(events.slice(1)).toMatchObject([{ kind: "message", text: "One\n\n  Two\n{ not json" }]);
    expect(run).toMatchObject({ outcome: { status: "completed" }, usage: UNKNOWN_USAGE, steps: 1 });
    expect(run).toMatchObject({ model: null, sessionId: null, skillsOffered: null, clientVersion: null });
  });

  it("is given the prompt on standard input and the rest in variables", async () => {
    const { events } = await drive(
      'cat; echo; echo "$ASSAY_TURN|$ASSAY_SESSION|$ASSAY_SKILL|$ASSAY_SKILL_PATH|$ASSAY_MODEL|$ASSAY_BASE_URL|$ASSAY_TOKEN"',
      {
        skill: "hex-greeter",
        options: { model: "m-1" },
        context: { endpoint: { baseUrl: "http://127.0.0.1:9", token: "t0ken" } },
      },
    );
    const text = events[1]?.kind === "message" ? events[1].text : "";
    expect(text).toMatch(
      /^say it\n1\|\|hex-greeter\|\/.*\/hex-greeter\|m-1\|http:\/\/127\.0\.0\.1:9\|t0ken$/,
    );
  });

  it.each([
    [{ kind: "invocation", args: "Ada  Lovelace" }, "hex-greeter", "/hex-greeter Ada  Lovelace"],
    [{ kind: "invocation", args: "" }, "hex-greeter", "/hex-greeter"],
    [{ kind: "invocation", args: "Ada" }, undefined, "Ada"],
  ] as const)("spells %j as a slash command where there is a skill", async (prompt, skill, sent) => {
    const { events } = await drive("cat", skill === undefined ? {} : { skill }, prompt);
    expect(events).toMatchObject([
      { role: "user", text: sent },
      { role: "assistant", text: sent },
    ]);
  });

  it("that ends with an error has crashed, and standard error says why", async () => {
    const { run, events } = await drive("echo partial; echo 'no such model' >&2; exit 4");
    expect(run.outcome).toEqual({
      status: "crashed",
      message: "the program ended with exit code 4: no such model",
    });
    expect(events.at(-1)).toMatchObject({ kind: "message", text: "partial" });
  });

  it("that ends with an error and says nothing leaves no colon behind", async () => {
    const { run } = await drive("exit 3");
    expect(run.outcome).toEqual({ status: "crashed", message: "the program ended with exit code 3" });
  });
});

describe("a program that speaks the line protocol", () => {
  it("takes lines that only look like it for text", async () => {
    const { events } = await drive(
      `printf '%s\\n' '{"type":"text"}' '{"type":"dance"}' '{"type":"usage","input_tokens":-1}' '["text"]' '{"type":"text","text":"said"}'`,
    );
    expect(events.slice(1)).toMatchObject([
      {
        kind: "message",
        text: '{"type":"text"}\n{"type":"dance"}\n{"type":"usage","input_tokens":-1}\n["text"]',
      },
      { kind: "message", text: "said" },
    ]);
  });

  it("can say what it is, what it offers and what it cost, in parts", async () => {
    const { run } = await drive(
      `printf '%s\\n' '{"type":"session","id":"s1","model":"m","version":"1.2"}' '{"type":"session","skills":["a","b"]}' '{"type":"usage","input_tokens":3}' '{"type":"usage","input_tokens":4,"cost_usd":0.5}'`,
    );
    expect(run).toMatchObject({
      sessionId: "s1",
      model: "m",
      clientVersion: "1.2",
      skillsOffered: ["a", "b"],
    });
    expect(run.usage).toEqual({ ...UNKNOWN_USAGE, inputTokens: 7, costUsd: 0.5 });
  });

  it("can say that it reached a limit", async () => {
    const { run } = await drive(`echo '{"type":"failed","reason":"max-turns","message":"ten"}'; exit 1`);
    expect(run.outcome).toEqual({ status: "max-turns", message: "ten" });
  });

  it("tells a result without a call, too", async () => {
    const { events } = await drive(`echo '{"type":"tool_result","id":"x"}'`);
    expect(events.at(-1)).toMatchObject({ kind: "tool-result", tool: null, output: "", isError: false });
  });
});

describe("a program that is not there", () => {
  it.each(["no-such-program", "./no-such-program"])("%s is told before anything runs", async (name) => {
    const harness = commandHarness({ program: name, args: [], searchPath: "/usr/bin:/bin", cwd: "/" });
    await expect(harness.find()).rejects.toThrow(UserError);
    await expect(harness.find()).rejects.toThrow(name);
  });
});

/** A shell program that does the acts and tells them. */
function agentScript(turns: readonly (readonly Act[])[]): string {
  const cases = turns.map((acts, index) => `${index + 1})\n${acts.map(actLines).join("\n")}\n;;`);
  return `cat >/dev/null
quoted() { node -e 'process.stdout.write(JSON.stringify(require("fs").readFileSync(0, "utf8")))'; }
tool() {
  echo '{"type":"tool_call","id":"'$ASSAY_TURN-$1'","name":"'$2'"}'
  if out=$(bash -c "$3" 2>&1; code=$?; echo x; exit $code); then failed=false; else failed=true; fi
  echo '{"type":"tool_result","id":"'$ASSAY_TURN-$1'","is_error":'$failed',"output":'$(printf %s "\${out%x}" | quoted)'}'
}
echo '{"type":"session","id":"'\${ASSAY_SESSION:-new-session}'"}'
case $ASSAY_TURN in
${cases.join("\n")}
esac`;
}

function actLines(act: Act, index: number): string {
  if ("say" in act) {
    const { usage } = act;
    const lines = [{ type: "text", text: act.say }];
    const told = usage && {
      type: "usage",
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
    };
    return [...lines, ...(told ? [told] : [])]
      .map((line) => `echo ${shell(JSON.stringify(line))}`)
      .join("\n");
  }
  if ("bash" in act) return `tool ${index} bash ${shell(act.bash)}`;
  if ("write" in act)
    return `tool ${index} write ${shell(`mkdir -p "$(dirname ${act.write})"; printf %s ${shell(act.content)} > ${act.write}`)}`;
  if ("skill" in act)
    return `tool ${index} skill true; echo '{"type":"skill","name":"${act.skill}","by":"tool"}'`;
  if ("hang" in act) return "trap '' INT TERM; while :; do sleep 1; done";
  if ("die" in act) return "kill -9 $$";
  const reason = { 401: "auth", 429: "rate-limit", 500: "api" }[act.refuse];
  return `echo '{"type":"failed","reason":"${reason}","message":"status ${act.refuse}"}'`;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function program(script: string): { harness: Harness; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "command-"));
  const file = join(folder, "agent.sh");
  writeFileSync(file, `#!/bin/bash\n${script}\n`);
  chmodSync(file, 0o755);
  return {
    harness: commandHarness({ program: "./agent.sh", args: [], searchPath: "", cwd: folder }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function drive(
  script: string,
  options: BenchOptions = {},
  prompt: HarnessRequest["prompt"] = { kind: "turns", turns: ["say it"] },
) {
  const { harness, remove } = program(script);
  onTestFinished(remove);
  const bench = new HarnessBench();
  onTestFinished(() => bench[Symbol.dispose]());
  return bench.drive(harness, prompt, options);
}
