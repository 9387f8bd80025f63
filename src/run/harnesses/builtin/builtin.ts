import { randomUUID } from "node:crypto";
import { leftOut } from "../../../domain/left-out.ts";
import { type Outcome, UNKNOWN_USAGE } from "../../../domain/run.ts";
import { addUsage } from "../../../domain/usage.ts";
import type { Provider } from "../../../providers/provider.ts";
import type {
  Endpoint,
  Harness,
  HarnessContext,
  HarnessRequest,
  HarnessRun,
  SystemPrompt,
} from "../../harness.ts";
import { readSession, sessionPath, writeSession } from "./session.ts";
import { findSkills, skillText } from "./skills.ts";
import { systemText } from "./system-text.ts";
import { allowedTools } from "./tools.ts";
import { type Conversation, playTurn } from "./turn.ts";

export interface BuiltinOptions {
  /** Speaks to the trial's endpoint; null: to the service itself. */
  readonly connect: (endpoint: Endpoint | null) => Provider;
  /** When none is asked for. */
  readonly model: string;
  /** Of one model response. */
  readonly maxTokens?: number;
}

/**
 * A small agent of our own over any model service: nothing needs to be installed. The loop runs here, every tool inside
 * the trial's sandbox, so what a skill makes the agent do stays in there.
 */
export function builtin(options: BuiltinOptions): Harness {
  return {
    name: "builtin",
    skillsFolder: SKILLS_FOLDER,
    onlyPrograms: false,
    needsOnlyModel: true,
    find: async () => ({ name: "builtin", version: null, readable: [] }),
    run: (request, context) => run(options, request, context),
    sessionFile: async (home) => sessionPath(home),
  };
}

const SKILLS_FOLDER = ".claude/skills";
/** What an agent may use that is only asked about its work. */
const LOOK_ONLY = ["Read"];
const MAX_STEPS = 100;
const MAX_TOKENS = 8192;

async function run(
  options: BuiltinOptions,
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const prompts = promptsOf(request);
  const sentMessages: string[] = [];
  const notes: string[] = unsupported(request, context);
  let outcome: Outcome = { status: "completed" };
  let usage = UNKNOWN_USAGE;
  let model: string | null = null;
  let steps = 0;
  let talk: Conversation | null = null;
  for (const [index, { shown, sent }] of prompts.entries()) {
    const turn = index + 1;
    if (sent.trim() === "") {
      outcome = leftOut("invalid", `there is nothing to send: the text of turn ${turn} is empty`);
      break;
    }
    if (talk === null) {
      const begun: Conversation | Outcome = await begin(options, request, context);
      if ("status" in begun) {
        outcome = begun;
        break;
      }
      talk = begun;
    }
    context.emit({ kind: "message", role: "user", text: shown }, { turn });
    sentMessages.push(sent);
    if (request.prompt.kind === "invocation" && request.skill !== null)
      context.emit({ kind: "skill-activated", skill: request.skill.name, by: "invocation" }, { turn });
    talk.messages.push({ role: "user", parts: [{ kind: "text", text: sent }] });
    const ended = await playTurn(talk, context, turn);
    if (ended.steps > 0) context.emit({ kind: "usage", usage: ended.usage }, { turn });
    usage = addUsage(usage, ended.usage);
    model ??= ended.model;
    steps += ended.steps;
    notes.push(...ended.notes);
    if (ended.outcome !== null) {
      ({ outcome } = ended);
      break;
    }
  }
  if (talk !== null) notes.push(...(await writeSession(talk, context)));
  return {
    outcome,
    model: model ?? options.model,
    sessionId: talk === null ? null : randomUUID(),
    steps,
    usage,
    denials: [],
    skillsOffered: talk?.skills.map(({ name }) => name) ?? null,
    clientVersion: null,
    sent: { messages: sentMessages, systemPrompt: systemPromptOf(request)?.source ?? null },
    notes: [...new Set(notes)],
  };
}

/** An outcome when the trial ends before it has begun. */
async function begin(
  { connect, model, maxTokens }: BuiltinOptions,
  request: HarnessRequest,
  context: HarnessContext,
): Promise<Conversation | Outcome> {
  const { options, resume } = request;
  const common = {
    startedMs: performance.now(),
    provider: connect(context.endpoint),
    model: options.model ?? model,
    maxTokens: maxTokens ?? MAX_TOKENS,
    maxSteps: options.maxTurns ?? MAX_STEPS,
    stopOnSkill: options.stopOnSkill,
  };
  if (resume !== undefined) {
    const { system, messages } = await readSession(resume.file);
    return { ...common, system, messages: [...messages], tools: allowedTools(LOOK_ONLY), skills: [] };
  }
  const { listed, shell } = await findSkills(context, SKILLS_FOLDER);
  if (shell.forced !== null) return shell.forced;
  return {
    ...common,
    system: systemText(context.places.workspace, listed, addedText(systemPromptOf(request))),
    tools: allowedTools(options.allowedTools).filter(
      ({ spec }) => spec.name !== "Skill" || listed.length > 0,
    ),
    skills: listed,
    messages: [],
  };
}

/** An invocation is shown as its user would type it, and sent as the skill's own body with the arguments in it. */
function promptsOf({ prompt, skill }: HarnessRequest): readonly { shown: string; sent: string }[] {
  if (prompt.kind === "turns") return prompt.turns.map((text) => ({ shown: text, sent: text }));
  if (skill === null) return [{ shown: prompt.args, sent: prompt.args }];
  const directory = skill.skill.layout === "command" ? skill.path.replace(/\/[^/]*$/, "") : skill.path;
  const sent = skillText(skill.skill.body, directory, prompt.args);
  return [{ shown: `/${skill.name} ${prompt.args}`.trimEnd(), sent }];
}

/** Only an invocation has one. */
function systemPromptOf({ prompt, skill }: HarnessRequest): SystemPrompt | null {
  return prompt.kind === "invocation" ? (skill?.systemPrompt ?? null) : null;
}

/** The skill's own body is in the message already. */
function addedText(system: SystemPrompt | null): string | null {
  return system === null || system.source === "skill-md" ? null : system.text;
}

function unsupported({ options }: HarnessRequest, { mcpServers }: HarnessContext): string[] {
  return [
    ...(mcpServers === null
      ? []
      : ["the builtin agent has no MCP: the servers of this trial were not offered"]),
    ...(options.extraArgs.length === 0 ? [] : ["the builtin agent takes no --agent-arg"]),
    ...(options.permissionMode === null ? [] : ["the builtin agent has no permission modes"]),
  ];
}
