import { describe, expect, it } from "vitest";
import { readUserNotes } from "./user-notes.ts";

describe("an agent's user_notes.md", () => {
  it("is read by its headings, item by item", () => {
    const text = `# Notes

## Uncertainty
- The year is a guess,
  because two files disagree
1. The currency

## Needs Human Review
Look at page 3.

## Workarounds
* Used pypdf instead of pdftotext

## Suggestions
- Add a script
`;
    expect(readUserNotes(text)).toEqual({
      uncertainties: ["The year is a guess, because two files disagree", "The currency"],
      needsReview: ["Look at page 3."],
      workarounds: ["Used pypdf instead of pdftotext"],
    });
  });

  it.each(["", "## Uncertainty\n\nNone.\n\n## Workarounds\n- none\n- N/A\n", "no headings at all"])(
    "%j says nothing",
    (text) => {
      expect(readUserNotes(text)).toEqual({ uncertainties: [], needsReview: [], workarounds: [] });
    },
  );
});
