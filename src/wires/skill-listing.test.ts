import { describe, expect, it } from "vitest";
import { listedSkills } from "./skill-listing.ts";

const DASHED = `The following skills are available for use with the Skill tool:

- csv-report: Summarises CSV files
- plug:notes: Writes notes
- bare

# Something else
- not-a-skill: really`;

const ROOTED = `<skills_instructions>
### Roots
- \`r0\` = \`/ws/.agents/skills\`
### Available skills
- csv-report: Summarises (of course) (file: r0/csv-report/SKILL.md)
- other: No file
### How to use
- fake: no
</skills_instructions>`;

const TAGGED = `<available_skills>
  <skill><name>csv-report</name><description>x</description><location>file:///ws/csv-report/SKILL.md</location></skill>
  <skill><name> second </name></skill>
</available_skills>`;

describe("the listing of", () => {
  it.each([
    ["Claude Code, as a system message", "messages", { messages: [{ role: "system", content: DASHED }] }],
    [
      "Claude Code, as a reminder",
      "messages",
      {
        messages: [
          {
            role: "user",
            content: [{ type: "text", text: `<system-reminder>\n${DASHED}\n</system-reminder>` }],
          },
        ],
      },
    ],
    ["Claude Code, as system", "messages", { system: [{ type: "text", text: DASHED }] }],
  ] as const)("%s", (_, wire, body) => {
    expect(listedSkills(wire, body)).toEqual([
      { name: "csv-report", file: null },
      { name: "plug:notes", file: null },
      { name: "bare", file: null },
    ]);
  });

  it("Codex, with places", () => {
    const body = { input: [{ role: "developer", content: [{ type: "input_text", text: ROOTED }] }] };
    expect(listedSkills("responses", body)).toEqual([
      { name: "csv-report", file: "/ws/.agents/skills/csv-report/SKILL.md" },
      { name: "other", file: null },
    ]);
  });

  it.each([
    ["gemini", { systemInstruction: { parts: [{ text: TAGGED }] } }],
    ["gemini", { tools: [{ functionDeclarations: [{ name: "activate_skill", description: TAGGED }] }] }],
    ["chat", { messages: [{ role: "system", content: TAGGED }] }],
    ["chat", { tools: [{ type: "function", function: { name: "skill", description: TAGGED } }] }],
    ["messages", { tools: [{ name: "skill", description: TAGGED }] }],
    ["responses", { instructions: TAGGED }],
  ] as const)("tags on %s: %j", (wire, body) => {
    expect(listedSkills(wire, body)).toEqual([
      { name: "csv-report", file: "/ws/csv-report/SKILL.md" },
      { name: "second", file: null },
    ]);
  });
});

it.each([
  ["the user's words", "messages", { messages: [{ role: "user", content: DASHED }] }],
  ["the model's words", "chat", { messages: [{ role: "assistant", content: TAGGED }] }],
  ["a tool's result", "chat", { messages: [{ role: "tool", content: TAGGED }] }],
  [
    "a tool's result in a user message",
    "messages",
    {
      messages: [
        {
          role: "user",
          content: [{ type: "tool_result", content: `<system-reminder>${DASHED}</system-reminder>` }],
        },
      ],
    },
  ],
  ["nothing", "responses", null],
] as const)("%s list no skills", (_, wire, body) => {
  expect(listedSkills(wire, body)).toEqual([]);
});
