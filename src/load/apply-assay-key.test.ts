import { describe, expect, it } from "vitest";
import { TASK, TRIGGER, apply } from "./fixtures/assay-key.ts";

describe("applyAssayKey", () => {
  it("appends the file's checks, then the task's, and fills in the rest", () => {
    const { applied } = apply(TASK, {
      file: {
        checks: [{ type: "no_denied_tools" }],
        mcp_servers: { a: { command: "x" }, b: { command: "y" } },
      },
      own: {
        checks: [{ type: "has_urls" }],
        with_only: ["grouped"],
        reference: { output: "ok" },
        mcp_servers: { b: { command: "z" } },
      },
    });
    expect(applied?.checks.map((check) => [check.id, check.appliesTo])).toEqual([
      ["grouped", "with-skill"],
      ["no_denied_tools", "every-variant"],
      ["has_urls:1", "every-variant"],
    ]);
    expect(applied?.reference).toEqual({ output: "ok", files: {} });
    expect(applied?.mcpServers).toEqual({ a: { command: "x" }, b: { command: "z" } });
  });

  it("routes a trigger case and leaves it without the file's checks", () => {
    const { applied } = apply(TRIGGER, {
      file: { checks: [{ type: "no_denied_tools" }] },
      own: { skill: "xlsx", forbidden: ["docx"] },
    });
    expect(applied?.checks).toMatchObject([
      { kind: "fires", expected: false, skill: "xlsx", forbidden: ["docx"] },
    ]);
  });

  it("numbers equal checks, and refuses a declared id twice", () => {
    const twice = { own: { checks: [{ type: "has_urls" }, { type: "has_urls" }] } };
    expect(apply(TASK, twice).applied?.checks.map((check) => check.id)).toEqual([
      "grouped",
      "has_urls:1",
      "has_urls:1#2",
    ]);
    const clash = apply(TASK, { own: { checks: [{ type: "has_urls", id: "grouped" }] } });
    expect(clash).toEqual({
      applied: null,
      told: ['duplicate-id: the id "grouped" is used by two checks of the same case'],
    });
  });

  it("refuses with_only for an id that is not there", () => {
    expect(apply(TASK, { own: { with_only: ["groupd"] } })).toEqual({
      applied: null,
      told: ['unknown-check-id: with_only names "groupd", but the case has no check with that id'],
    });
  });

  it("leaves a case without keys as it is", () => {
    expect(apply(TASK, {}).applied).toBe(TASK);
  });
});
