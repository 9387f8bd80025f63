import { describe, expect, it } from "vitest";
import { object, required } from "../lib/shape/object.ts";
import { bool, int, list, number, text } from "../lib/shape/values.ts";
import type { Judge, Question } from "./judge.ts";

/** What the model behind a judge says to one call. */
export type ScriptedReply =
  | { readonly says: string; readonly stop?: "end" | "cut" | "refused" }
  | { readonly fails: string };

export interface JudgeBench {
  readonly judge: Judge;
  /** Everything the model was told, call by call. */
  readonly heard: () => readonly string[];
}

interface Verdicts {
  readonly verdicts: readonly {
    readonly index: number;
    readonly evidence: string;
    readonly passed: boolean;
  }[];
}

/** Two criteria, as graders ask for them. */
export function question(changes: Partial<Question<Verdicts>> = {}): Question<Verdicts> {
  return {
    purpose: "criteria",
    promptVersion: "1",
    system: "You are the judge of THE-SYSTEM-TEXT.",
    parts: [{ kind: "text", text: "Look at THE-EVIDENCE and judge two criteria." }],
    reply: object({
      verdicts: required(
        list(
          object({
            index: required(int({ min: 1 })),
            evidence: required(text({ blank: "allowed" })),
            passed: required(bool()),
            score: required(number({ min: 0, max: 1 })),
          }),
        ),
      ),
    }),
    objection: ({ verdicts }) =>
      verdicts.map(({ index }) => index).join() === "1,2"
        ? null
        : "there must be one verdict for each of the criteria 1 to 2, in order",
    maxTokens: 1000,
    repetition: 0,
    ...changes,
  };
}

const FIRST = '{"index": 1, "evidence": "a quote", "passed": true, "score": 0.9}';
const SECOND =
  '{"index": 2, "evidence": "```json\\n{\\"passed\\": true}\\n```", "passed": false, "score": 0.1}';
const GOOD = `{"verdicts": [${FIRST}, ${SECOND}]}`;
const NEVER = new AbortController().signal;

/**
 * What every judge promises. `bench` makes one whose model gives these replies, one after the other. Where the judge cannot
 * tell why the model stopped, half an answer and a refusal are simply no JSON.
 */
export function judgeContract(
  name: string,
  bench: (replies: readonly ScriptedReply[]) => Promise<JudgeBench>,
  stops: "told" | "untold" = "told",
): void {
  describe(`judge ${name}`, () => {
    it.each([
      ["bare", GOOD],
      ["with prose around it", `Here is my verdict.\n\n${GOOD}\n\nI hope that helps [1].`],
      ["in a fence", `\`\`\`json\n${GOOD}\n\`\`\``],
      [
        "in a fence without a language, after prose with braces",
        `The set {a, b} is fine:\n\`\`\`\n${GOOD}\n\`\`\``,
      ],
      ["said twice, the same", `${GOOD}\n\nAgain:\n${GOOD}`],
    ])("takes a good answer %s", async (_, says) => {
      const { judge, heard } = await bench([{ says }]);
      const answer = await judge.ask(question(), NEVER);
      expect(answer).toMatchObject({ status: "answered", cached: false, calls: 1 });
      expect(answer.status === "answered" && answer.value.verdicts.map(({ passed }) => passed)).toEqual([
        true,
        false,
      ]);
      expect(answer.usage.inputTokens).toBeGreaterThan(0);
      expect(answer.usage.outputTokens).toBeGreaterThan(0);
      expect(heard()).toHaveLength(1);
      expect(heard()[0]).toContain("THE-EVIDENCE");
      expect(heard()[0]).toContain("THE-SYSTEM-TEXT");
    });

    it.each<[string, ScriptedReply, RegExp]>([
      ["prose only", { says: "Both criteria are met." }, /not JSON/],
      ["half of it", { says: GOOD.slice(0, 70) }, /not JSON.*cut off/],
      [
        "cut off at the limit",
        { says: GOOD.slice(0, 70), stop: "cut" },
        stops === "told" ? /cut off at 1000 tokens/ : /cut off/,
      ],
      ["nothing", { says: "" }, /empty/],
      [
        "a refusal",
        { says: "I cannot judge that.", stop: "refused" },
        stops === "told" ? /refused/ : /not JSON/,
      ],
      ["one verdict too few", { says: `{"verdicts": [${FIRST}]}` }, /one verdict for each of the criteria/],
      ["the wrong order", { says: `{"verdicts": [${SECOND}, ${FIRST}]}` }, /in order/],
      ['"false" as a string', { says: GOOD.replace("true", '"false"') }, /passed must be true or false/],
      ["a score of 7.5", { says: GOOD.replace("0.9", "7.5") }, /score must be between 0 and 1/],
      ["NaN", { says: GOOD.replace("0.9", "NaN") }, /not JSON/],
      [
        "a key twice",
        { says: GOOD.replace('"passed": true,', '"passed": true, "passed": false,') },
        /"passed" appears twice/,
      ],
      ["a list instead", { says: `[${FIRST}, ${SECOND}]` }, /the reply must be an object/],
      ["null", { says: "null" }, /the reply must be an object/],
      ["two answers", { says: `${GOOD}\nor rather\n${GOOD.replace("true", "false")}` }, /several different/],
    ])("asks once more after %s, naming the problem", async (_, bad, problem) => {
      const { judge, heard } = await bench([bad, { says: GOOD }]);
      const answer = await judge.ask(question(), NEVER);
      expect(answer).toMatchObject({ status: "answered", calls: 2 });
      expect(heard()[1]).toMatch(problem);
      expect(heard()[1]).toContain("THE-EVIDENCE");
      const hopeless = await bench([bad, bad, { says: GOOD }]);
      const unanswered = await hopeless.judge.ask(question(), NEVER);
      expect(unanswered).toMatchObject({ status: "unanswered", calls: 2 });
      expect(unanswered.status === "unanswered" && unanswered.reason).toMatch(problem);
    });

    it("adds up what both calls used", async () => {
      const one = await (await bench([{ says: GOOD }])).judge.ask(question(), NEVER);
      const two = await (await bench([{ says: "no" }, { says: GOOD }])).judge.ask(question(), NEVER);
      expect(two.usage.inputTokens).toBeGreaterThan(one.usage.inputTokens ?? 0);
    });

    it("says why the model was not heard, and does not ask again", async () => {
      const { judge, heard } = await bench([{ fails: "no credit left here" }, { says: GOOD }]);
      const answer = await judge.ask(question(), NEVER);
      expect(answer).toMatchObject({ status: "unanswered", calls: 1 });
      expect(answer.status === "unanswered" && answer.reason).toContain("no credit left here");
      expect(heard()).toHaveLength(1);
    });

    it("shows evidence of any size, whole and as it is", async () => {
      const end = "\n/compact @/etc/hostname $(id) </output> \u{1f600} THE-END";
      const { judge, heard } = await bench([{ says: GOOD }]);
      const parts = [{ kind: "text" as const, text: `/help\n${"long ".repeat(500_000)}${end}` }];
      expect((await judge.ask(question({ parts }), NEVER)).status).toBe("answered");
      expect(heard()[0]).toContain(end);
      expect(heard()[0]?.length).toBeGreaterThan(2_500_000);
    });

    it("rejects when the caller has enough", async () => {
      const { judge } = await bench([{ says: GOOD }]);
      await expect(judge.ask(question(), AbortSignal.abort())).rejects.toThrow(/abort/i);
    });
  });
}
