import { describe, expect, it } from "vitest";
import { aPair, comparisonReplyOf, wordedJudge } from "../../test/support/comparing.ts";
import { tempTree } from "../../test/support/temp-tree.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import { NO_SETTINGS } from "../domain/suite.ts";
import type { Subject } from "../grade/subject.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { comparisonFolder } from "../store/layout.ts";
import { hider } from "./blind.ts";
import { compareBlind } from "./compare-blind.ts";

it.each([
  ["see eval-1/with_skill/run-1", "see eval-1/variant/run-1"],
  ["old_skill, new_skill and without_skill", "variant, variant and variant"],
  ["from iteration-12", "from iteration"],
  ["wrote /tmp/assay-0a1b2c3d/w1/out.txt", "wrote /workspace/out.txt"],
  ["wrote /var/tmp/assay-0a1b2c3d/out.txt", "wrote /workspace/out.txt"],
  ["greeter 2.1.0 said so", "greeter [hidden] said so"],
  ["greeter v2.1.0 said so", "greeter [hidden] said so"],
  ["branch feature/new-words.", "branch [hidden]."],
  ["v22.1.0 is another version, and inline is a word", "v22.1.0 is another version, and inline is a word"],
  ["read skills/greeter/SKILL.md first", "read [hidden] first"],
  ["a b c of the main point", "a b c of the main point"],
  ["chapter 2", "chapter 2"],
])("%s is shown as %s", (text, shown) => {
  expect(hider(["2.1.0", "feature/new-words", "main", "b", "2", ""])(text)).toBe(shown);
});

const events: readonly TranscriptEvent[] = (
  [
    { kind: "message", role: "user", text: "/greeter Do it" },
    { kind: "tool-call", callId: "1", tool: "Read", input: { path: "skills/greeter/SKILL.md" } },
    {
      kind: "tool-result",
      callId: "1",
      tool: "Read",
      output: "TEXT OF THE SKILL",
      isError: false,
      denied: false,
    },
    { kind: "skill-activated", skill: "greeter", by: "read" },
    {
      kind: "message",
      role: "assistant",
      text: "Used the greeter skill. Done as iteration-7 of with_skill, release 2.1.0",
    },
  ] as const
).map((body, index) => ({ index, turn: 1, agent: null, ...body }));

describe("what the judge is asked", () => {
  it("shows the conversation and the framing, but not how it came about nor which version it was", async () => {
    await using tree = await tempTree();
    const judge = wordedJudge(() => comparisonReplyOf(3, 3));
    const settings = { ...NO_SETTINGS, userPrompt: "I want a short greeting" };
    const pair = await aPair(tree.root, { first: "x", second: "the other answer" }, { settings });
    const subject: Subject = {
      ...pair.first.subject,
      skill: "greeter",
      async *transcript() {
        yield* events;
      },
    };
    await compareBlind(
      {
        pairs: [{ ...pair, first: { ...pair.first, name: "iteration-7/eval-1", subject } }],
        versions: { first: "iteration-7", second: "iteration-8" },
        markers: ["2.1.0"],
        judges: 1,
        judgeFor: () => judge,
        seed: 1,
        folder: comparisonFolder(tree.path("grading")),
        mask: secretMask([]),
        concurrency: 1,
      },
      new AbortController().signal,
    );
    const texts = judge.asked.map(({ system, parts }) => system + JSON.stringify(parts));
    expect(texts).toHaveLength(2);
    for (const text of texts) {
      expect(text).toContain("I want a short greeting");
      expect(text).toContain("Used the [hidden]. Done as iteration of variant, release [hidden]");
      expect(text).toContain("the other answer");
      expect(text).not.toMatch(
        /TEXT OF THE SKILL|iteration-|with_skill|2\.1\.0|greeter|first\.txt|second\.txt/,
      );
      expect(text).not.toContain(tree.root);
    }
    expect(texts[0]).not.toBe(texts[1]);
  });
});
