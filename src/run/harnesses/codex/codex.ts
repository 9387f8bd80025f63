import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { UNKNOWN_USAGE } from "../../../domain/run.ts";
import { type ClientOptions, findClient } from "../../client.ts";
import type { Harness, HarnessContext, HarnessOptions, HarnessRequest, HarnessRun } from "../../harness.ts";
import { fileBelow } from "../../session.ts";
import { playTurns } from "../../turns.ts";
import { agentConfigDirectory } from "../../workspace/env.ts";
import { codexArgs, codexEnv, codexPrompts, mcpToml } from "./command-line.ts";
import { CodexStream } from "./stream.ts";

/** The OpenAI Codex command line, by `codex exec --json`; further turns resume the thread. */
export function codex(options: ClientOptions): Harness {
  const client = findClient(options, { title: "Codex", install: "npm install -g @openai/codex" });
  return {
    name: "codex",
    skillsFolder: ".agents/skills",
    onlyPrograms: true,
    needsOnlyModel: true,
    quotesModel: { callIds: false },
    find: async () => ({ name: "codex", ...(await client.describe()) }),
    run: async (request, context) =>
      runCodex({ program: await client.program(), credentials: options.credentials }, request, context),
    sessionFile: (home, id) => fileBelow(join(home, SESSIONS), (name) => name.endsWith(`-${id}.jsonl`)),
  };
}

async function runCodex(
  { program, credentials }: { program: string; credentials: Readonly<Record<string, string>> },
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const { skill, prompt, resume } = request;
  const options = resume === undefined ? request.options : { ...request.options, ...LOOK_ONLY };
  if (resume !== undefined)
    await context.writeHome(join(SESSIONS, basename(resume.file)), await readFile(resume.file, "utf8"));
  const env = codexEnv(context, credentials);
  if (context.mcpServers !== null) await context.writeHome(CONFIG_FILE, mcpToml(context.mcpServers));
  const prompts = codexPrompts(prompt, skill);
  const played = await playTurns(
    {
      prompts,
      listen: (turn, earlier: CodexStream | null) =>
        new CodexStream({
          emit: context.emit,
          turn,
          stopOnSkill: options.stopOnSkill,
          invoked: prompt.kind === "invocation" ? (skill?.name ?? null) : null,
          threadUsage: earlier?.threadUsage ?? null,
        }),
      command: (text, { sessionId }) => ({
        program,
        args: codexArgs(options, context.endpoint, sessionId),
        cwd: context.places.workspace,
        env,
        stdin: text,
      }),
      ...(resume && { resume: resume.id }),
    },
    context,
  );
  return {
    outcome: played.outcome,
    model: options.model,
    sessionId: played.sessionId,
    steps: played.steps,
    // The client counts from the beginning of the thread, of which only the end is this run's.
    usage: resume === undefined ? played.usage : UNKNOWN_USAGE,
    denials: [],
    skillsOffered: null,
    clientVersion: null,
    sent: {
      messages: prompts.slice(0, played.heard.length),
      systemPrompt: prompt.kind === "invocation" ? (skill?.systemPrompt.source ?? null) : null,
    },
    notes: [...played.notes, ...unsupported(options)],
  };
}

/** In CODEX_HOME, relative to HOME. */
const CONFIG_FILE = join(agentConfigDirectory("."), "config.toml");
const SESSIONS = join(agentConfigDirectory("."), "sessions");

/** The client's own sandbox; where that cannot start, because it runs in ours, no command does. */
const LOOK_ONLY = { permissionMode: "read-only" } as const;

/** What was asked for and this client cannot do, or not here. */
function unsupported({ maxTurns, allowedTools, permissionMode }: HarnessOptions): readonly string[] {
  const ownSandbox = permissionMode !== null && permissionMode !== "danger-full-access";
  return [
    ...(ownSandbox
      ? [
          "codex was asked to use its own sandbox: that works only with --sandbox none, and codex does not report what it blocks",
        ]
      : []),
    ...(maxTurns === null ? [] : ["codex has no turn limit, so yours was not applied"]),
    ...(allowedTools === null ? [] : ["codex has no list of allowed tools, so yours was not applied"]),
  ];
}
