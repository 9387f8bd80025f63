import type { HarnessContext, HarnessRequest, HarnessRun } from "../harness.ts";
import { promptTexts } from "../prompt.ts";
import { playTurns, type TurnCall } from "../turns.ts";
import { LineListener } from "./listener.ts";

export interface LineAgent {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Further variables for the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** Calls the program once per turn, the prompt on standard input, and listens to its lines. */
export async function runLineAgent(
  agent: LineAgent,
  request: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const { options, skill } = request;
  const { heard, ...played } = await playTurns(
    {
      prompts: promptTexts(request.prompt, (name, args) => `/${name} ${args}`.trimEnd(), skill),
      listen: (turn) => new LineListener({ emit: context.emit, turn, stopOnSkill: options.stopOnSkill }),
      command: (prompt, call) => ({
        program: agent.program,
        args: agent.args,
        cwd: context.places.workspace,
        env: { ...context.env, ...agentEnv(request, context), ...turnEnv(call), ...agent.env },
        stdin: prompt,
      }),
    },
    context,
  );
  const lastSaid = <T>(pick: (listener: LineListener) => T | null): T | null =>
    heard.map(pick).findLast((value) => value !== null) ?? null;
  return {
    outcome: played.outcome,
    model: lastSaid(({ model }) => model),
    sessionId: played.sessionId,
    steps: played.steps,
    usage: played.usage,
    denials: [],
    skillsOffered: lastSaid(({ skills }) => skills),
    clientVersion: lastSaid(({ version }) => version),
    notes: played.notes,
  };
}

/** An empty value stands for "none", so that a program under `set -u` can look. */
function agentEnv({ skill, options }: HarnessRequest, { endpoint }: HarnessContext): Record<string, string> {
  return {
    ASSAY_SKILL: skill?.name ?? "",
    ASSAY_SKILL_PATH: skill?.path ?? "",
    ASSAY_MODEL: options.model ?? "",
    ...(endpoint === null ? {} : { ASSAY_BASE_URL: endpoint.baseUrl, ASSAY_TOKEN: endpoint.token }),
  };
}

function turnEnv({ turn, sessionId }: TurnCall): Record<string, string> {
  return { ASSAY_TURN: String(turn), ASSAY_SESSION: sessionId ?? "" };
}
