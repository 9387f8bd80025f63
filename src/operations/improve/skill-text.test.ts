import { describe, expect, it } from "vitest";
import { parseSkill } from "../../load/skill.ts";
import { skillTextProblem, withDescription } from "./skill-text.ts";

const FILE = "/skills/tidy/SKILL.md";
const at = { file: FILE };

describe("another description", () => {
  it.each([
    ["on one line", "---\nname: tidy\ndescription: Old.\nlicense: MIT\n---\nBody: x\n"],
    ["last", "---\nname: tidy\ndescription: Old.\n---\nBody: x\n"],
    ["quoted", '---\nname: tidy\ndescription: "Old: yes"\n---\nBody: x\n'],
    ["folded", "---\nname: tidy\ndescription: >-\n  Old\n  text.\n\nlicense: MIT\n---\nBody: x\n"],
    ["literal", "---\ndescription: |\n  Old\n  text.\nname: tidy\n---\nBody: x\n"],
    ["plain over lines", "---\nname: tidy\ndescription: Old\n  text\n  here\nlicense: MIT\n---\nBody: x\n"],
    ["with a comment", "---\nname: tidy\ndescription: Old. # why\nlicense: MIT\n---\nBody: x\n"],
    ["missing", "---\nname: tidy\n---\nBody: x\n"],
    ["with CRLF", "---\r\nname: tidy\r\ndescription: Old.\r\nlicense: MIT\r\n---\r\nBody: x\r\n"],
  ])("replaces one that is %s, and nothing else", (_, text) => {
    const before = parseSkill(FILE, text);
    for (const description of [
      "New.",
      "With: colon # and 'quotes' \"both\"",
      "x ".repeat(300).trim(),
      "- dash",
      "é 🙂",
    ]) {
      const { skill } = parseSkill(FILE, withDescription(at, text, description));
      expect(skill.description).toBe(description);
      expect(skill.body).toBe(before.skill.body);
      expect({ ...skill.frontmatter, description: null }).toEqual({
        ...before.skill.frontmatter,
        description: null,
      });
    }
  });

  it("leaves the text alone when it is the same", () => {
    const text = "---\nname: tidy\ndescription: >-\n  Old\n  text.\n---\nBody\n";
    expect(withDescription(at, text, "Old text.")).toBe(text);
  });

  it.each(["Body only\n", "---\nname: [\n---\nBody\n"])(
    "is refused where there is no place for it: %j",
    (text) => {
      expect(() => withDescription(at, text, "New.")).toThrow(/cannot be replaced safely/);
    },
  );
});

describe("a changed skill", () => {
  const text = "---\nname: tidy\ndescription: Tidies.\n---\nBody\n";
  const { skill } = parseSkill(FILE, text);

  it.each([
    [text.replace("Body", "Other"), /^fine$/],
    [text.replace("Tidies", "Tidies up"), /^fine$/],
    [text.replace("name: tidy", "name: other"), /changes the name/],
    [text.replace("name: tidy", "name: ["), /frontmatter/],
    [text.replace("description: Tidies.\n", ""), /removes the description/],
    [text.replace("Tidies.", "Use <b>."), /angle brackets/],
  ])("%j is judged by its frontmatter", (changed, problem) => {
    expect(skillTextProblem(skill, changed) ?? "fine").toMatch(problem);
  });
});
