import type { Json } from "../../src/domain/json.ts";
import { UNKNOWN_USAGE } from "../../src/domain/run.ts";
import type { Wording } from "../../src/grade/judge.ts";
import type { Harness } from "../../src/run/harness.ts";
import { assay, type CommandOutcome } from "./command-line.ts";
import { wordedJudge } from "./comparing.ts";
import type { TempTree } from "./temp-tree.ts";

/** An agent that answers, and a model that judges and drafts, as functions of this process: hundreds of runs take seconds. */
export interface StandIns {
  readonly agent: (skillText: string, prompt: string) => string;
  /** What a run takes; absent: nobody knows. */
  readonly tokens?: (skillText: string) => number;
  readonly model: (question: Wording) => Json;
}

/** What the configuration of a project exports, for the file that looks it up. */
const known = new Map<string, unknown>();
Object.assign(globalThis, { assayStandIns: known });

/** The file to write as `assay.config.mjs` of a project that is called `name`. */
export function standInConfig(name: string, { agent, tokens, model }: StandIns): string {
  known.set(name, {
    harnesses: [{ name: "stand-in", help: "a function", create: () => agentOf(agent, tokens) }],
    judges: [{ name: "stand-in-judge", help: "a function", create: () => wordedJudge(model) }],
  });
  return `export default globalThis.assayStandIns.get(${JSON.stringify(name)});\n`;
}

/** Runs a command of the project with both. */
export function withStandIns(
  project: Pick<TempTree, "root">,
  ...args: readonly string[]
): Promise<CommandOutcome> {
  const parts = [
    "--config",
    "assay.config.mjs",
    "--harness",
    "stand-in",
    "--grading-provider",
    "stand-in-judge",
  ];
  return assay([...args, ...parts, "--sandbox", "none", "--concurrency", "1"], { cwd: project.root });
}

function agentOf(answer: StandIns["agent"], tokens: StandIns["tokens"]): Harness {
  return {
    name: "stand-in",
    skillsFolder: ".claude/skills",
    onlyPrograms: false,
    find: async () => ({ name: "stand-in", version: "1", readable: [] }),
    async run({ prompt, skill }, { emit }) {
      const text = skill?.systemPrompt.text ?? "";
      const asked = prompt.kind === "turns" ? prompt.turns.join("\n") : prompt.args;
      emit({ kind: "message", role: "assistant", text: answer(text, asked) });
      return {
        outcome: { status: "completed" },
        model: "stand-in",
        sessionId: null,
        steps: 1,
        usage:
          tokens === undefined
            ? UNKNOWN_USAGE
            : { ...UNKNOWN_USAGE, inputTokens: tokens(text), outputTokens: 0 },
        denials: [],
        skillsOffered: null,
        clientVersion: "1",
        notes: [],
      };
    },
  };
}
