import { realpath } from "node:fs/promises";
import { type Outcome, UNKNOWN_USAGE } from "../../../domain/run.ts";
import { UserError } from "../../../domain/user-error.ts";
import { findProgram } from "../../../lib/find-program.ts";
import type { Harness, HarnessContext, HarnessRequest, HarnessRun } from "../../harness.ts";
import { installationOf } from "../../installation.ts";
import { codexArgs, codexEnv, codexPrompts } from "./command-line.ts";
import { codexOutcome, CodexStream } from "./stream.ts";

export interface CodexOptions {
  /** A path, or a name on `searchPath`. */
  readonly program: string;
  readonly searchPath: string;
  readonly cwd: string;
  /** Variables that log the client in when no gateway stands between it and the service. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The client's answer to `--version`. */
  readonly versionOf: (program: string) => Promise<string | null>;
}

/** The OpenAI Codex command line, by `codex exec --json`; further turns resume the thread. */
export function codex(options: CodexOptions): Harness {
  const find = async () => {
    const program = await findProgram(options.program, options.searchPath, options.cwd);
    if (program !== null) return realpath(program);
    throw new UserError(
      "run/no-client",
      `Codex is not installed: there is no ${JSON.stringify(options.program)} on PATH`,
      {
        hint: "npm install -g @openai/codex, or choose another agent with --harness",
      },
    );
  };
  return {
    name: "codex",
    skillsFolder: ".agents/skills",
    async find() {
      const program = await find();
      return { name: "codex", version: await options.versionOf(program), readable: installationOf(program) };
    },
    run: async (request, context) =>
      runCodex({ program: await find(), credentials: options.credentials }, request, context),
  };
}

async function runCodex(
  { program, credentials }: { program: string; credentials: Readonly<Record<string, string>> },
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const { options, skill } = request;
  const notes: string[] = [];
  let outcome: Outcome = { status: "completed" };
  let steps = 0;
  let threadId: string | null = null;
  // After a resume the client reports the tokens of the whole thread, so the last word is the sum.
  let usage = UNKNOWN_USAGE;
  for (const [index, prompt] of codexPrompts(request.prompt, skill).entries()) {
    const turn = index + 1;
    context.emit({ kind: "message", role: "user", text: prompt }, { turn });
    if (request.prompt.kind === "invocation" && skill !== null) {
      context.emit({ kind: "skill-activated", skill: skill.name, by: "invocation" }, { turn });
    }
    const stream = new CodexStream(context.emit, turn);
    const supervised = await context.start(
      {
        program,
        args: codexArgs(options, context.endpoint, threadId),
        cwd: context.places.workspace,
        env: codexEnv(context, credentials),
        stdin: prompt,
      },
      (line) => {
        stream.hear(line);
        return options.stopOnSkill !== null && stream.hasActivated(options.stopOnSkill) ? "stop" : undefined;
      },
    );
    notes.push(...supervised.notes);
    threadId = stream.threadId ?? threadId;
    usage = stream.usage ?? usage;
    steps += stream.steps;
    outcome = codexOutcome(stream, supervised);
    if (outcome.status !== "completed" || supervised.ending.kind === "stopped") break;
  }
  return {
    outcome,
    model: options.model,
    sessionId: threadId,
    steps,
    usage,
    denials: [],
    skillsOffered: null,
    clientVersion: null,
    notes,
  };
}
