import type { Json } from "../../src/domain/json.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type ComparingProject, comparingProject, PLAIN, WARM } from "./comparing-project.ts";

const FIRST_IS_WARM = {
  system: "compare two outputs",
  anywhere: { regex: "output 1\\]\\][^]*dear[^]*output 2\\]\\]" },
};
export const COMPARES = { system: "compare two outputs" };

/** What an analyst replies. */
export function analysis(...suggestions: readonly Json[]): Json {
  return {
    execution_pattern: {
      run_1: "Took up the skill -> greeted warmly",
      run_2: "Took up the skill -> greeted",
    },
    instruction_following: {
      run_1: { issues: [], score: 9 },
      run_2: { issues: ["did not say hello"], score: 4 },
    },
    strengths: ["asks for warmth"],
    weaknesses: ["does not say how to greet"],
    suggestions,
  };
}

function suggestion(text: string, transcript: Json, skill: Json): Json {
  return {
    priority: "high",
    category: "instructions",
    suggestion: text,
    expected_impact: "Warmer",
    transcript,
    skill,
  };
}

const SUPPORTED = suggestion(
  "Ask for warmth.",
  { run: "2", event: 4, quote: "hi Ada" },
  { of: "2", file: "SKILL.md", line: 6, quote: "Say hello." },
);
export const OF_THE_FIRST = suggestion(
  "Ask for warmth.",
  { run: "1", event: 4, quote: "hi Ada" },
  { of: "1", file: "SKILL.md", line: 6, quote: "Say hello." },
);
const INVENTED = suggestion(
  "Ask for a bow.",
  { run: "2", event: 4, quote: "I will not bow to Ada" },
  { of: "2", file: "SKILL.md", line: 6, quote: "Say hello." },
);

/** Prefers the warm answer wherever it stands, and explains it. */
export const FAIR: readonly Json[] = [
  {
    name: "analysis",
    when: { system: "explain why two versions" },
    reply: { json: analysis(SUPPORTED, INVENTED) },
  },
  { name: "first", when: FIRST_IS_WARM, reply: { json: comparisonReplyOf(5, 3) } },
  { name: "second", when: COMPARES, reply: { json: comparisonReplyOf(3, 5) } },
];

/** How often a rule of the judge answered. */
export function asked(project: ComparingProject, ...rules: readonly string[]): number {
  return project.sim.requests.filter(({ rule }) => rules.includes(rule ?? "")).length;
}

/** A plain iteration and a warm one. */
export async function twoIterations(
  rules: Json = FAIR,
  ...args: readonly string[]
): Promise<ComparingProject> {
  const project = await comparingProject(rules);
  await project.run(PLAIN, ...args);
  await project.run(WARM, ...args);
  return project;
}
