import { UNKNOWN_USAGE } from "../../../domain/run.ts";
import type { JsonSchema } from "../../../lib/shape/shape.ts";
import { schemaInstruction } from "../../../wires/structured.ts";
import { askTwice, complaint, type Said, type Utterance } from "../../asking/ask-twice.ts";
import type { Judge, QuestionPart, Wording } from "../../judge.ts";
import { claude } from "./claude.ts";
import type { CliClient, CliSettings } from "./client.ts";
import { codex } from "./codex.ts";
import type { ProgramRun, RunProgram } from "./program.ts";

export interface CliJudgeOptions extends CliSettings {
  readonly client: CliClient["name"];
  /** Absolute path. */
  readonly program: string;
  /** The whole environment: what the client needs to find its login, and no key it should not use. */
  readonly env: Readonly<Record<string, string>>;
  readonly runProgram: RunProgram;
  /** For one call of the program. */
  readonly timeoutMs?: number;
}

/** Asks an agent's command line, which answers in the person's own login. It has no tools, and how long it answers is its own affair. */
export function cliJudge(options: CliJudgeOptions): Judge {
  const client = CLIENTS[options.client];
  return {
    name: `${client.name}-cli`,
    transport: "cli",
    model: options.model,
    takesImages: client.takesImages,
    async ask(question, signal) {
      if (!client.takesImages && question.parts.some((part) => part.kind === "image")) {
        const reason = `${client.name} cannot be shown images on its command line`;
        return { status: "unanswered", reason, usage: UNKNOWN_USAGE, calls: 0 };
      }
      return askTwice(question, async (utterance): Promise<Said> => {
        const { args, env, stdin } = client.prepare(
          { system: question.system, parts: partsOf(question, question.reply.schema, utterance) },
          options,
        );
        const { program, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
        const call = { program, args, env: { ...options.env, ...env }, stdin, timeoutMs };
        const run = await options.runProgram(call, signal);
        return client.read(run.stdout) ?? silence(client, run, timeoutMs);
      });
    },
  };
}

const CLIENTS: Readonly<Record<CliClient["name"], CliClient>> = { claude, codex };
const DEFAULT_TIMEOUT_MS = 10 * 60_000;

/** Every call is a new session, so a rejected reply is told rather than shown as the model's own. */
function partsOf(question: Wording, schema: JsonSchema, { rejected }: Utterance): readonly QuestionPart[] {
  const demand: QuestionPart = { kind: "text", text: schemaInstruction(schema) };
  if (rejected === null) return [...question.parts, demand];
  const shown = rejected.reply === "" ? "" : `Your earlier reply was:\n${rejected.reply}\n\n`;
  return [...question.parts, demand, { kind: "text", text: `${shown}${complaint(rejected.problem)}` }];
}

function silence({ name }: CliClient, { ending, stderr, stdout }: ProgramRun, timeoutMs: number): Said {
  const words = (stderr.trim() || stdout.trim()).slice(-500);
  const tell = (what: string): Said => ({
    status: "silent",
    reason: words === "" ? `${name} ${what}` : `${name} ${what}: ${words}`,
    usage: UNKNOWN_USAGE,
  });
  switch (ending.kind) {
    case "timed-out":
      return tell(`gave no answer within ${timeoutMs / 1000} s`);
    case "not-started":
      return tell(`could not be started (${ending.reason})`);
    case "exited":
      return tell(`ended with code ${ending.code ?? "none"} and no answer`);
  }
}
