import { writeFile } from "node:fs/promises";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { Json } from "../../src/domain/json.ts";
import type { CommandOutcome } from "../support/command-line.ts";
import { type SimProject, simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

/** A project with the skill `greeter`, an agent that plays a script, and a model service that plays the judge. */
export interface ComparingProject extends SimProject {
  /** Runs the skill, whose text is then this, with an agent that answers so. */
  readonly run: (answers: Answers, ...args: readonly string[]) => Promise<CommandOutcome>;
}

export interface Answers {
  readonly skill: string;
  readonly Ada: string;
  readonly Bob: string;
}

export const PLAIN: Answers = {
  skill: "Say hello.",
  Ada: "hi Ada",
  Bob: "hi Bob",
};
export const WARM: Answers = {
  skill: "Say hello warmly.\nUse the name.",
  Ada: "Hello dear Ada",
  Bob: "Hello dear Bob",
};

export async function comparingProject(rules: Json): Promise<ComparingProject> {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": skillText(PLAIN.skill),
    "skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: ["Ada", "Bob"].map((name, index) => ({
        id: index + 1,
        prompt: `Greet ${name}`,
        expectations: [],
        assay: { checks: [{ type: "contains", needle: `Hello dear ${name}` }] },
      })),
    }),
  });
  const sim = await startSim(parseScript(JSON.stringify({ rules })));
  const project = simProject(tree, sim, process.env["PATH"]);
  return {
    ...project,
    async run({ skill, ...answers }, ...args) {
      await writeFile(tree.path("skills/greeter/SKILL.md"), skillText(skill));
      await writeFile(tree.path("script.json"), agentScript(answers));
      const agent = ["--harness", "scripted", "--script", "script.json"];
      return project.assay("run", "skills/greeter", ...agent, ...args);
    },
  };
}

export function agentScript(answers: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    replies: Object.entries(answers).map(([name, text]) => ({
      when: { prompt: name },
      steps: [{ skill: "greeter" }, { text }],
    })),
  });
}

export function skillText(body: string): string {
  return `---\nname: greeter\ndescription: Greets people by name.\n---\n\n${body}\n`;
}
