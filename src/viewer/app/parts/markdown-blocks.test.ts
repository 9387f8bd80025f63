import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownBlocks } from "./markdown-blocks.ts";

describe("Markdown", () => {
  it("is read into blocks", () => {
    const text =
      "# Report #\n\nTwo *lines*\nof text\n\n- one\n  more\n  - deep\n\n```py\nx = 1\n```\n> said\n\n|a|b|\n|-|-|\n|1|x \\| y|\n\n---";
    expect(markdownBlocks(text)).toEqual([
      { kind: "heading", level: 1, text: "Report" },
      { kind: "paragraph", text: "Two *lines*\nof text" },
      {
        kind: "list",
        ordered: false,
        items: [
          { depth: 0, text: "one\nmore" },
          { depth: 1, text: "deep" },
        ],
      },
      { kind: "code", language: "py", text: "x = 1" },
      { kind: "quote", text: "said" },
      { kind: "table", head: ["a", "b"], rows: [["1", "x | y"]] },
      { kind: "rule" },
    ]);
  });

  it("keeps raw HTML as text", () => {
    expect(markdownBlocks("<script>alert(1)</script>")).toEqual([
      { kind: "paragraph", text: "<script>alert(1)</script>" },
    ]);
  });

  it("ends an open fence with the text", () => {
    expect(markdownBlocks("```\nx")).toEqual([{ kind: "code", language: "", text: "x" }]);
  });

  it("loses no word of any text", () => {
    const line = fc.array(fc.constantFrom("- ", "# ", "|", "> ", "a1", "b2", "  ", "1. ", "---", "*"), {
      maxLength: 5,
    });
    const often = (word: string, where: string) => where.split(word).length;
    const kept = fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.map((words) => words.join("")).join("\n");
      return often("a1", JSON.stringify(markdownBlocks(text))) === often("a1", text);
    });
    expect(fc.check(kept).counterexample).toBe(null);
  });
});
