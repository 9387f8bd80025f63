import { readFile } from "node:fs/promises";
import type { Outcome } from "../../../domain/run.ts";
import { type ClientOptions, findClient } from "../../client.ts";
import type { Harness, HarnessContext, HarnessRequest, HarnessRun, StagedSkill } from "../../harness.ts";
import { promptTexts } from "../../prompt.ts";
import { fileBelow } from "../../session.ts";
import { type PlayedTurns, playTurns } from "../../turns.ts";
import { agentConfigDirectory } from "../../workspace/env.ts";
import { claudeArgs, claudeEnv, LOOK_ONLY, sessionPath } from "./command-line.ts";
import { interactiveStop } from "./outcome.ts";
import { ClaudeStream } from "./stream.ts";

/** Claude Code, by `claude -p` with a stream of JSON events; further turns resume the session. */
export function claudeCode(options: ClientOptions): Harness {
  const client = findClient(options, {
    title: "Claude Code",
    install: "npm install -g @anthropic-ai/claude-code",
  });
  return {
    name: "claude-code",
    skillsFolder: ".claude/skills",
    onlyPrograms: true,
    needsOnlyModel: true,
    quotesModel: { callIds: true },
    find: async () => ({ name: "claude", ...(await client.describe()) }),
    run: async (request, context) =>
      runClaude({ ...options, program: await client.program() }, request, context),
    sessionFile: (home, id) =>
      fileBelow(`${agentConfigDirectory(home)}/projects`, (name) => name === `${id}.jsonl`),
  };
}

async function runClaude(
  client: Pick<ClientOptions, "program" | "credentials" | "loggedIn">,
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const { skill, prompt, resume } = request;
  const options = resume === undefined ? request.options : { ...request.options, ...LOOK_ONLY };
  if (resume !== undefined)
    await context.writeHome(sessionPath(context.places, resume.id), await readFile(resume.file, "utf8"));
  const { program } = client;
  const env = claudeEnv(context, options, client);
  const mcpConfig = await writeMcpConfig(context);
  const played = await playTurns(
    {
      prompts: promptTexts(prompt, (name, args) => `/${name} ${args}`.trimEnd(), skill),
      listen: (turn) =>
        new ClaudeStream({
          emit: context.emit,
          turn,
          stopOnSkill: options.stopOnSkill,
          invoked: prompt.kind === "invocation" ? (skill?.name ?? null) : null,
        }),
      command: (text, { sessionId }) => ({
        program,
        args: claudeArgs(options, { resume: sessionId, mcpConfig }),
        cwd: context.places.workspace,
        env,
        stdin: text,
      }),
      ...(resume && { resume: resume.id }),
    },
    context,
  );
  const { outcome, notes } = withHeuristics(played, options);
  const first = played.heard[0];
  return {
    outcome,
    model: first?.model ?? null,
    sessionId: played.sessionId,
    steps: played.steps,
    usage: played.usage,
    denials: played.heard.flatMap(({ denials }) => denials),
    skillsOffered: first === undefined ? null : offered(first, skill),
    clientVersion: first?.version ?? null,
    notes: [...played.notes, ...notes],
  };
}

async function writeMcpConfig({ mcpServers, writeHome }: HarnessContext): Promise<string | null> {
  return mcpServers === null ? null : writeHome("mcp.json", JSON.stringify({ mcpServers }));
}

/** A stop that only looks interactive is the case's to allow; then it is no more than a note. */
function withHeuristics(
  { heard, outcome, stopped }: PlayedTurns<ClaudeStream>,
  options: HarnessRequest["options"],
): { outcome: Outcome; notes: readonly string[] } {
  const last = heard.at(-1);
  if (outcome.status !== "completed" || stopped || last === undefined) return { outcome, notes: [] };
  const stop = interactiveStop(last, options);
  if (stop === null) return { outcome, notes: [] };
  if (options.allowHangHeuristic) return { outcome: stop, notes: [] };
  return { outcome, notes: ["the run looks like an interactive stop, which this case allows"] };
}

/**
 * The client's own list lacks commands, and skills that only the model may call. What it leaves out on purpose says
 * nothing, so a skill of that kind that is not listed makes the list unknown.
 */
function offered(
  { skills, slashCommands }: ClaudeStream,
  staged: StagedSkill | null,
): readonly string[] | null {
  if (skills === null || staged === null || skills.includes(staged.name)) return skills;
  if (slashCommands.includes(staged.name)) return [...skills, staged.name];
  return staged.skill.frontmatter["user-invocable"] === false ? null : skills;
}
