import { chmod, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay, type CommandOutcome } from "../support/command-line.ts";
import { greeterProject } from "../support/project.ts";

const WORDS = [
  "::error file=a.js::pwned",
  "  ::stop-commands::x",
  "##[error]pwned",
  "\u001b[31mred\u001b[0m",
];

/** Lines that a CI service or a terminal would obey. */
function obeyed({ out, err }: CommandOutcome): readonly string[] {
  return `${out}\n${err}`.split("\n").filter((line) => /^\s*::|##\[/u.test(line) || line.includes("\u001b"));
}

async function withAgent(script: string) {
  const project = await greeterProject([]);
  await writeFile(project.path("agent.sh"), `#!/bin/sh\n${script}\n`);
  await chmod(project.path("agent.sh"), 0o755);
  return project;
}

const say = (to: string) =>
  WORDS.map((word) => `printf '%b\\n' '${word.replaceAll("\u001b", "\\033")}' ${to}`).join("\n");
const AGENT = ["--harness", "command", "--command", "./agent.sh"];

describe("words of strangers", () => {
  it("that a crashing agent leaves on stderr give no commands", async () => {
    await using project = await withAgent(`${say(">&2")}\nexit 3`);
    const ended = await assay(["run", "skills/greeter", ...AGENT], { cwd: project.root });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.out + ended.err).toContain("pwned");
    expect(obeyed(ended)).toEqual([]);
  });

  it("that an agent puts out give none when they are shown", async () => {
    await using project = await withAgent(say(""));
    const ran = await assay(["run", "skills/greeter", ...AGENT, "--case", "1"], { cwd: project.root });
    const shown = await assay(["show", "1", "--all"], { cwd: project.root });
    expect(shown.out).toContain("pwned");
    expect([...obeyed(ran), ...obeyed(shown)]).toEqual([]);
  });

  it("that an agent gives as its failure look like no line of the report", async () => {
    const message = "boom\\\\n\\\\n  greeter: passed\\\\ngreeter: passed";
    await using project = await withAgent(
      `printf '%b\\n' '{"type":"failed","reason":"crashed","message":"${message}"}'`,
    );
    const ran = await assay(["run", "skills/greeter", ...AGENT, "--case", "1"], { cwd: project.root });
    const shown = await assay(["show", "1"], { cwd: project.root });
    for (const { out, err } of [ran, shown]) {
      expect(out + err).toContain("greeter: passed");
      expect(`${out}\n${err}`).not.toMatch(/^ {0,3}greeter: passed/mu);
    }
  });

  it("in a file's name or script give none where the user is asked", async () => {
    const evals = "timestamp: 2026-01-01T00:00:00Z\nname: greeter\nprompt: Greet Ada\nexpected: hello\n";
    await using project = await greeterProject([], {
      "skillet/a\n::error::pwned.yaml": `${evals}setup: "::warning::y"\n`,
    });
    const run = ["run", "skillet", "--skill", "skills/greeter", "--harness", "scripted"];
    const asked = await assay([...run, "--script", "script.json"], { cwd: project.root, answer: () => "n" });
    expect(asked.err).toContain("the whole script");
    expect(asked.err).toContain("pwned");
    expect(obeyed(asked)).toEqual([]);
  });
});
