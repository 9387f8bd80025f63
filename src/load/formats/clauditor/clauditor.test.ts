import { describe, expect, it } from "vitest";
import { clauditor } from "./clauditor.ts";
import { loadSpecValue } from "./fixtures/load-text.ts";
import { expectRoundTrip } from "./fixtures/spec-files.ts";

describe("clauditor writes", () => {
  it("what only Assay has words for under its own key, and reads it back", async () => {
    const spec = {
      assertions: [{ id: "a", type: "contains", needle: "x" }],
      assay: {
        checks: [{ type: "tool_called", tool: "Bash" }],
        with_only: ["a"],
        reference: { output: "x" },
        mcp_servers: { db: { command: "db" } },
      },
    };
    await expectRoundTrip(JSON.stringify(spec), "/specs/demo.eval.json");
    const { file } = await loadSpecValue(spec);
    expect(file?.cases[0]).toMatchObject({
      checks: [
        { id: "a", appliesTo: "with-skill" },
        { kind: "tool_called", tool: "Bash" },
      ],
      reference: { output: "x" },
      mcpServers: { db: { command: "db" } },
    });
  });

  it("unknown keys at every level", async () => {
    const spec = {
      _why: 1,
      owner: "me",
      assertions: [{ id: "a", type: "contains", needle: "x", name: "A", _why: 2 }],
      sections: [
        {
          name: "S",
          order: 1,
          tiers: [{ label: "t", weight: 2, fields: [{ id: "f", name: "f", unit: "kg", format: null }] }],
        },
      ],
      grading_criteria: [{ id: "c", criterion: "good?", weight: 3 }],
      grade_thresholds: { min_pass_rate: 1, _why: "strict" },
      variance: { _seed: 1 },
      trigger_tests: { _from: "logs", should_trigger: ["q"] },
    };
    await expectRoundTrip(JSON.stringify(spec), "/specs/demo.eval.json");
    const { lines } = await loadSpecValue(spec);
    expect(
      lines.map((line) => line.replace(/^\d+:\d+ (.*?) has the unknown.*? key ("\w+").*$/, "$1 $2")),
    ).toEqual([
      'note clauditor/unknown-key: sections[0].tiers[0].fields[0] "unit"',
      'note clauditor/unknown-key: sections[0].tiers[0] "weight"',
      'note clauditor/unknown-key: sections[0] "order"',
      'note clauditor/unknown-key: grading_criteria[0] "weight"',
      'note clauditor/unknown-key: the file "owner"',
    ]);
  });

  it("keys in the order of the document, with defaults left out", async () => {
    const { file } = await loadSpecValue({
      sync_tasks: true,
      assertions: [{ count: 1, type: "has_urls", id: "u" }],
      skill_name: "a",
      test_args: "x",
    });
    expect(clauditor.write(file!).text).toMatchInlineSnapshot(`
      "{
        "skill_name": "a",
        "test_args": "x",
        "assertions": [
          {
            "id": "u",
            "type": "has_urls"
          }
        ],
        "sync_tasks": true
      }
      "
    `);
  });
});

describe("clauditor's schema", () => {
  it("is made of the shapes that read", () => {
    const schema = clauditor.schemas["spec"] as {
      properties: Record<string, { items?: { anyOf?: unknown[] } }>;
    };
    expect(schema.properties["assertions"]?.items?.anyOf).toHaveLength(10);
    expect(Object.keys(schema.properties)).toContain("grading_provider");
  });
});
