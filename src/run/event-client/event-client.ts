import type { Loose } from "../../lib/loose.ts";
import { type ClientOptions, findClient } from "../client.ts";
import type {
  Harness,
  HarnessContext,
  HarnessOptions,
  HarnessRequest,
  HarnessRun,
  StagedSkill,
} from "../harness.ts";
import { promptTexts } from "../prompt.ts";
import { playTurns } from "../turns.ts";
import { ClientStream } from "./client-stream.ts";

/** What sets one client apart from others that are called once per message and print an event per line. */
export interface EventClient extends Pick<Harness, "skillsFolder" | "quotesModel" | "needsOnlyModel"> {
  /** Of the harness. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly install: string;
  /** Arguments for one message, which itself goes in on standard input. */
  readonly args: (call: EventCall) => readonly string[];
  /** Variables beside the trial's own. */
  readonly env: (call: Omit<EventCall, "sessionId">) => Readonly<Record<string, string>>;
  /** Its settings, by their place in the trial's home. */
  readonly files?: (call: Omit<EventCall, "sessionId">) => Readonly<Record<string, string>>;
  readonly read: (event: Loose, stream: ClientStream) => void;
  /** How a prompt calls a skill by name; absent: the client has no such way, and is sent the skill's text. */
  readonly invoke?: (name: string, args: string) => string;
  /** Options that the client has nothing for. */
  readonly cannot: readonly (keyof typeof CANNOT)[];
}

export interface EventCall {
  readonly options: HarnessOptions;
  readonly context: Pick<HarnessContext, "endpoint" | "mcpServers" | "places">;
  /** What logs it in where no gateway does. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The session to go on with; null: a new one. */
  readonly sessionId: string | null;
}

export function eventClient(client: EventClient, options: ClientOptions): Harness {
  const { name, title, install, skillsFolder, quotesModel, needsOnlyModel } = client;
  const found = findClient(options, { title, install });
  return {
    name,
    skillsFolder,
    onlyPrograms: true,
    ...(quotesModel && { quotesModel }),
    ...(needsOnlyModel && { needsOnlyModel }),
    find: async () => ({ name, ...(await found.describe()) }),
    run: async (request, context) =>
      runClient(client, { ...options, program: await found.program() }, { request, context }),
  };
}

async function runClient(
  client: EventClient,
  { program, credentials }: Pick<ClientOptions, "program" | "credentials">,
  { request, context }: { readonly request: HarnessRequest; readonly context: HarnessContext },
): Promise<HarnessRun> {
  const { prompt, skill, options } = request;
  const call = { options, context, credentials };
  for (const [path, content] of Object.entries(client.files?.(call) ?? {}))
    await context.writeHome(path, content);
  const env = { ...context.env, ...client.env(call) };
  const { heard, ...played } = await playTurns(
    {
      prompts: promptTexts(prompt, client.invoke ?? ((_, args) => spelledOut(skill, args)), skill),
      listen: (turn) =>
        new ClientStream({
          name: client.name,
          emit: context.emit,
          turn,
          stopOnSkill: options.stopOnSkill,
          invoked: prompt.kind === "invocation" ? (skill?.name ?? null) : null,
          read: client.read,
        }),
      command: (text, { sessionId }) => ({
        program,
        args: [...client.args({ ...call, sessionId }), ...options.extraArgs],
        cwd: context.places.workspace,
        env,
        stdin: text,
      }),
    },
    context,
  );
  const [first] = heard;
  return {
    outcome: played.outcome,
    model: first?.model ?? options.model,
    sessionId: played.sessionId,
    steps: played.steps,
    usage: played.usage,
    denials: [],
    skillsOffered: first?.skills ?? null,
    clientVersion: first?.version ?? null,
    notes: [...played.notes, ...notApplied(client, options)],
  };
}

/** With its place, so that what it refers to is found. */
function spelledOut(skill: StagedSkill | null, args: string): string {
  if (skill === null) return args;
  const where = skill.skill.layout === "command" ? "" : `Base directory for this skill: ${skill.path}\n\n`;
  return `${where}${skill.skill.body.trim()}\n\n${args}`.trim();
}

const CANNOT = {
  maxTurns: "has no turn limit, so yours was not applied",
  allowedTools: "has no list of allowed tools, so yours was not applied",
  permissionMode: "has no permission modes, so yours was not applied",
} as const satisfies Partial<Record<keyof HarnessOptions, string>>;

function notApplied({ name, cannot }: EventClient, options: HarnessOptions): readonly string[] {
  return cannot.filter((key) => options[key] !== null).map((key) => `${name} ${CANNOT[key]}`);
}
