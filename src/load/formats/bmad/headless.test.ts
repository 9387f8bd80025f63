import { describe, expect, it } from "vitest";
import { headlessKeywords, withoutHeadlessSignal } from "./headless.ts";

const INTERACTIVE = "# Brief\n\n## Discovery\n\nAsk the user what the product is for.\n";
const HEADLESS = `${INTERACTIVE}\n## Headless Mode\n\nStarted by \`--headless\`, \`-H\` or "yolo run".\n\n## Output\n\nWrite \`brief.md\`.\n`;

describe("headlessKeywords", () => {
  it("takes what the section quotes, and nothing after it", () => {
    expect(headlessKeywords(HEADLESS)).toEqual(["--headless", "-H", "yolo run"]);
  });

  it.each(["", INTERACTIVE, "## Headless Mode"])("finds none in %j", (body) => {
    expect(headlessKeywords(body)).toEqual([]);
  });
});

describe("withoutHeadlessSignal", () => {
  const silent = (prompt: string, body: string | null) =>
    withoutHeadlessSignal([{ id: "A1", prompt }], body).length === 1;

  it.each([
    ["Run headless. Create a brief", INTERACTIVE, false],
    ["Create a brief in HEADLESS mode", INTERACTIVE, false],
    ["Create a brief", INTERACTIVE, true],
    ["Create a brief", null, true],
    ["Run headless. Create a brief", null, false],
    ["-H create a brief", HEADLESS, false],
    ["Do a yolo run on this", HEADLESS, false],
    ["Rewrite the re-hashed brief.md", HEADLESS, true],
    ["Format this table", "# Tables\n\nAlign the columns of a table.\n", false],
    ["Format this table", "# Tables\n\n## Step 1\n\nAlign the columns.\n", true],
  ])("%j", (prompt, body, expected) => {
    expect(silent(prompt, body)).toBe(expected);
  });

  it("names only the cases without a signal", () => {
    const prompts = [
      { id: "A1", prompt: "Run headless. Go" },
      { id: "A2", prompt: "Go" },
    ];
    expect(withoutHeadlessSignal(prompts, INTERACTIVE)).toEqual(["A2"]);
  });
});
