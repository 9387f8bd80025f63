import { describe, expect, it } from "vitest";
import { textWidth } from "../../operations/text.ts";
import { table } from "./table.ts";

const HEAD = ["skill", "agent", "model", "runs", "minutes", "cost", "based on"];
const ROWS = [
  ["conventional-comments", "auto", "(its own)", 3, "unknown", "unknown", "no earlier runs to go on"],
  ["release-notes", "auto", "(its own)", 16, "unknown", "unknown", "no earlier runs to go on"],
];

describe("a table", () => {
  it("is as wide as it is where nothing limits it", () => {
    expect(table(HEAD, ROWS)).toMatchInlineSnapshot(`
      "skill                  agent  model      runs  minutes  cost     based on
      ---------------------  -----  ---------  ----  -------  -------  ------------------------
      conventional-comments  auto   (its own)     3  unknown  unknown  no earlier runs to go on
      release-notes          auto   (its own)    16  unknown  unknown  no earlier runs to go on
      "
    `);
  });

  it("says once what all rows have in common where they do not fit otherwise", () => {
    expect(table(HEAD, ROWS, 60)).toMatchInlineSnapshot(`
      "skill                  agent  model      runs  minutes
      ---------------------  -----  ---------  ----  -------
      conventional-comments  auto   (its own)     3  unknown
      release-notes          auto   (its own)    16  unknown
      cost: unknown
      based on: no earlier runs to go on
      "
    `);
  });

  it("breaks the widest texts between words where that is not enough", () => {
    const rows = [
      ["a-very-long-name-of-a-skill", "a prompt that goes on and on and on", 12],
      ["short", "another prompt", 3],
    ];
    const text = table(["skill", "prompt", "checks"], rows, 40);
    expect(text).toMatchInlineSnapshot(`
      "skill           prompt           checks
      --------------  ---------------  ------
      a-very-long-n…  a prompt that        12
                      goes on and on
                      and on
      short           another prompt        3
      "
    `);
    for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThan(40);
  });

  it("breaks titles before texts, and no number", () => {
    const text = table(["criterion", "only judge passes", "both"], [["names the venue", 3, 12345]], 36);
    expect(text).toMatchInlineSnapshot(`
      "                  only judge
      criterion             passes   both
      ---------------  -----------  -----
      names the venue            3  12345
      "
    `);
  });

  it("sets wide letters under each other", () => {
    const lines = table(
      ["case", "n"],
      [
        ["日本語", 1],
        ["ab", 20],
      ],
    ).split("\n");
    expect(lines.slice(0, 4).map((line) => textWidth(line))).toEqual([10, 10, 10, 10]);
  });
});
