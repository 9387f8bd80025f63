import { describe, expect, it } from "vitest";
import type { Check } from "../domain/check.ts";
import { writeAssayKey } from "./write-assay-key.ts";
import { CRITERION, TASK, TRIGGER, must, apply, hosts } from "./fixtures/assay-key.ts";

describe("writeAssayKey", () => {
  it.each([
    { checks: [{ type: "has_urls", _why: "links matter" }, { type: "has_urls" }] },
    { checks: [{ type: "regex", pattern: "x" }], with_only: ["grouped", "regex:x"] },
    { reference: { output: "a", files: { "b/c.md": "d" } } },
    { mcp_servers: { a: { command: "x", args: [] } } },
    { _note: "mine", checks: [{ type: "skill_loaded" }] },
  ])("restores %j", (own) => {
    const { applied } = apply(TASK, { own });
    expect(writeAssayKey(must(applied), { hosts })).toEqual({ key: own, losses: [] });
  });

  it("restores a trigger case's routing", () => {
    const own = { skill: "xlsx", forbidden: ["docx"] };
    const { applied } = apply(TRIGGER, { own });
    expect(writeAssayKey(must(applied), { hosts })).toEqual({ key: own, losses: [] });
  });

  it("leaves to the file's key what it says", () => {
    const file = { checks: [{ type: "no_denied_tools" }], mcp_servers: { a: { command: "x" } } };
    const own = { checks: [{ type: "has_urls" }], mcp_servers: { b: { command: "y" } } };
    const applied = must(apply(TASK, { file, own }).applied);
    expect(writeAssayKey(applied, { hosts, fileKey: file }).key).toEqual(own);
    expect(writeAssayKey(applied, { hosts }).key).toEqual({
      checks: [{ type: "no_denied_tools" }, { type: "has_urls" }],
      mcp_servers: { ...file.mcp_servers, ...own.mcp_servers },
    });
  });

  it("says nothing for a case the format can write alone", () => {
    expect(writeAssayKey(TASK, { hosts })).toEqual({ key: null, losses: [] });
  });

  it("names what neither has words for", () => {
    const extraction: Check = {
      ...CRITERION,
      id: "count",
      layer: "L2",
      text: "At least 3 venues",
      kind: "entries",
      section: "Venues",
      tier: "default",
      min: 3,
      max: null,
    };
    const { key, losses } = writeAssayKey({ ...TASK, checks: [extraction] }, { hosts });
    expect({ key, losses }).toEqual({ key: null, losses: ['the check "At least 3 venues" (entries)'] });
  });
});
