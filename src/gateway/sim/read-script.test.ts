import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UserError } from "../../domain/user-error.ts";
import { parseScript, readScript } from "./read-script.ts";
import { scriptShape } from "./script-shape.ts";

function problems(text: string, path = "s.yaml"): readonly string[] {
  try {
    parseScript(text, path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.diagnostics.map(
      ({ at, code, message, hint }) => `${at?.line}:${at?.column} ${code} ${message} (${hint})`,
    );
  }
  return [];
}

describe("a script", () => {
  it("takes every spelling of a reply", () => {
    const { replies } = parseScript(`
replies:
  - just text
  - { text: one part }
  - [ { thinking: hm }, answer, { tool: bash, input: { command: ls } } ]
  - { parts: [ { json: { a: 1 } } ], usage: { input: 1, cacheRead: 2 }, stop: length }
`);
    expect(replies.map((reply) => reply.parts.map((part) => part.kind))).toEqual([
      ["text"],
      ["text"],
      ["thinking", "text", "call"],
      ["json"],
    ]);
    expect(replies[3]).toMatchObject({
      usage: { input: 1, output: null, cacheRead: 2, cacheWrite: null, reasoning: null },
      stop: "length",
    });
  });

  it("names unnamed rules by their place and fills in what is left out", () => {
    const { rules } = parseScript(
      "- reply: a\n- { name: second, side: true, fault: { status: 429, retryAfter: 2 } }\n",
    );
    expect(rules).toMatchObject([
      {
        name: "rule 1",
        side: false,
        when: null,
        times: null,
        per: "server",
        fault: { effect: { kind: "none" } },
      },
      {
        name: "second",
        side: true,
        play: { kind: "fault-only" },
        fault: { effect: { kind: "status", status: 429, headers: { "retry-after": "2" } } },
      },
    ]);
  });

  it("can be JSON, with a byte order mark", () => {
    expect(parseScript('\uFEFF[{"reply": "x"}]', "s.json").rules).toHaveLength(1);
  });

  it.each<[string, string, RegExp]>([
    ["nothing in it", "rules: []", /^1:1 sim\/bad-rule the file has neither rules nor replies/],
    ["an empty list", "[]", /sim\/empty-list/],
    ["a rule that says nothing", "- when: { turn: 1 }", /1:3 sim\/bad-rule \[0\] is empty/],
    ["reply and steps", "- reply: a\n  steps: [b]", /has both reply and steps/],
    [
      "a misspelt condition",
      "- when: { usrText: a }\n  reply: b",
      /1:11 sim\/unknown-key .*did you mean "userText"/,
    ],
    ["a misspelt key", "- replies: [a]", /1:3 sim\/unknown-key .*did you mean "steps"/],
    ["a bad regex", '- when: { userText: { regex: "(" } }\n  reply: b', /1:30 sim\/bad-regex/],
    ["two things in one part", "- reply: { text: a, thinking: b }", /1:10 sim\/not-one-part/],
    ["an empty part", "- reply: { input: {} }", /sim\/not-one-part/],
    [
      "an alias with other input",
      "- reply: { tool: write, input: { file_path: a } }",
      /takes path, content \(missing: path, content; unknown: file_path\)/,
    ],
    ["an alias without input", "- reply: { tool: bash }", /takes command/],
    [
      "an unknown template value",
      '- reply: "{{userTxt}}"',
      /1:10 sim\/bad-template .*did you mean "userText"/,
    ],
    [
      "a template in a nested input",
      '- reply: { tool: X, input: { a: [ "{{nope}}" ] } }',
      /1:35 sim\/bad-template/,
    ],
    ["a template that is never closed", '- reply: "{{userText"', /never closed/],
    ["a template with a bad pattern", '- reply: "{{userText /(/}}"', /not a regular expression/],
    ["two effects", "- fault: { drop: true, stall: true }", /1:10 sim\/several-faults .*drop and stall/],
    ["an effect that is off", "- fault: { drop: false }", /must be true or left out/],
    [
      "a retry-after without status",
      "- fault: { drop: true, retryAfter: 1 }",
      /retryAfter, which belongs to a "status"/,
    ],
    ["a success as a fault", "- fault: { status: 200 }", /between 400 and 599/],
    ["zero times", "- { reply: a, times: 0 }", /at least 1/],
    ["a float turn", "- { reply: a, when: { turn: 1.0 } }", /must be an integer/],
    ["a number as reply", "- reply: 3", /must be a text, a part or a list of parts/],
    ["not YAML", "a: [", /sim\/syntax/],
  ])("refuses %s", (_name, text, expected) => {
    const found = problems(text);
    expect(found.join("\n")).toMatch(expected);
  });

  it("reports every problem at once", () => {
    expect(problems("- reply: 1\n- when: { turn: 0 }\n  reply: a\n- fault: { status: 5 }\n")).toHaveLength(3);
  });

  it("names the first place in the error itself", () => {
    expect(() => parseScript("- reply: 3", "my.yaml")).toThrow(/^my\.yaml:1:10: /);
  });

  it("in the documentation is a right one", async () => {
    const page = await readFile(new URL("../../../docs/sim.md", import.meta.url), "utf8");
    const [example] = /(?<=```yaml\n)[\s\S]*?(?=```)/.exec(page) ?? [""];
    expect(parseScript(example)).toMatchObject({ rules: [{ play: { kind: "steps" } }, { times: 1 }] });
  });

  it("describes itself as JSON Schema without cycles", () => {
    const schema = JSON.stringify(scriptShape.schema);
    for (const word of ["userText", "skillListed", "cutAfter", "cacheRead", "thinking"])
      expect(schema).toContain(word);
  });

  it("is read from a file, and a missing file is the user's to fix", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sim-script-"));
    try {
      await writeFile(join(folder, "s.yml"), "replies: [hello]\n");
      await expect(readScript(join(folder, "s.yml"))).resolves.toMatchObject({ replies: [{ stop: null }] });
      await expect(readScript(join(folder, "none.yml"))).rejects.toThrow(UserError);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
