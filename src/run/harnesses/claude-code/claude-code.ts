import { realpath } from "node:fs/promises";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../../domain/run.ts";
import { UserError } from "../../../domain/user-error.ts";
import { findProgram } from "../../../lib/find-program.ts";
import type { Harness, HarnessContext, HarnessRequest, HarnessRun } from "../../harness.ts";
import { installationOf } from "../../installation.ts";
import { promptTexts } from "../../prompt.ts";
import { addUsage } from "../../../domain/usage.ts";
import { claudeArgs, claudeEnv } from "./command-line.ts";
import { claudeOutcome, interactiveStop } from "./outcome.ts";
import { ClaudeStream, usageOf } from "./stream.ts";

export interface ClaudeCodeOptions {
  /** A path, or a name on `searchPath`. */
  readonly program: string;
  readonly searchPath: string;
  readonly cwd: string;
  /** Variables that log the client in when no gateway stands between it and the service. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The client's answer to `--version`. */
  readonly versionOf: (program: string) => Promise<string | null>;
}

/** Claude Code, by `claude -p` with a stream of JSON events; further turns resume the session. */
export function claudeCode(options: ClaudeCodeOptions): Harness {
  const find = async () => {
    const program = await findProgram(options.program, options.searchPath, options.cwd);
    if (program !== null) return realpath(program);
    throw new UserError(
      "run/no-client",
      `Claude Code is not installed: there is no ${JSON.stringify(options.program)} on PATH`,
      {
        hint: "npm install -g @anthropic-ai/claude-code, or choose another agent with --harness",
      },
    );
  };
  return {
    name: "claude-code",
    skillsFolder: ".claude/skills",
    async find() {
      const program = await find();
      return {
        name: "claude",
        version: await options.versionOf(program),
        readable: installationOf(program),
      };
    },
    run: async (request, context) => runClaude(await find(), options.credentials, request, context),
  };
}

async function runClaude(
  program: string,
  credentials: Readonly<Record<string, string>>,
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const { options, skill } = request;
  const turns = promptTexts(request.prompt, (name, args) => `/${name} ${args}`.trimEnd(), skill);
  const env = claudeEnv(context, options, credentials);
  const notes: string[] = [];
  let usage: Usage = UNKNOWN_USAGE;
  let steps = 0;
  let outcome: Outcome = { status: "completed" };
  let first: ClaudeStream | null = null;
  let last = new ClaudeStream(context.emit, 1);
  const denials = [];
  for (const [index, prompt] of turns.entries()) {
    const turn = index + 1;
    const resume: string | null = last.sessionId;
    context.emit({ kind: "message", role: "user", text: prompt }, { turn });
    if (request.prompt.kind === "invocation" && skill !== null) {
      context.emit({ kind: "skill-activated", skill: skill.name, by: "invocation" }, { turn });
    }
    const stream = new ClaudeStream(context.emit, turn);
    last = stream;
    first ??= stream;
    const supervised = await context.start(
      {
        program,
        args: claudeArgs(options, { resume, mcpConfig: context.mcpConfig }),
        cwd: context.places.workspace,
        env,
        stdin: prompt,
      },
      (line) => {
        stream.hear(line);
        return options.stopOnSkill !== null && stream.hasActivated(options.stopOnSkill) ? "stop" : undefined;
      },
    );
    notes.push(...supervised.notes);
    denials.push(...stream.denials);
    usage = addUsage(usage, usageOf(stream.results));
    steps += stream.steps;
    outcome = claudeOutcome(stream, supervised);
    if (outcome.status !== "completed" || supervised.ending.kind === "stopped") break;
  }
  if (outcome.status === "completed" && options.stopOnSkill === null) {
    const stop = interactiveStop(last, options);
    if (stop !== null && options.allowHangHeuristic) outcome = stop;
    else if (stop !== null) notes.push("the run looks like an interactive stop, which this case allows");
  }
  return {
    outcome,
    model: first?.model ?? null,
    sessionId: last.sessionId,
    steps,
    usage,
    denials,
    skillsOffered: first?.skills ?? null,
    clientVersion: first?.version ?? null,
    notes,
  };
}
