import type { HarnessContext, HarnessRequest, HarnessRun } from "../harness.ts";
import { promptTexts } from "../prompt.ts";
import { Conversation } from "./conversation.ts";

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
  const said = new Conversation(request, context);
  const turns = promptTexts(request.prompt, (name, args) => `/${name} ${args}`.trimEnd(), request.skill);
  for (const [index, prompt] of turns.entries()) {
    said.startTurn(index + 1, prompt);
    const supervised = await context.start(
      {
        program: agent.program,
        args: agent.args,
        cwd: context.places.workspace,
        env: { ...context.env, ...endpointEnv(context), ...said.env(index + 1), ...agent.env },
        stdin: prompt,
      },
      (written) => said.hear(written),
    );
    if (said.endTurn(supervised)) break;
  }
  return said.finish();
}

function endpointEnv({ endpoint }: HarnessContext): Record<string, string> {
  return endpoint === null ? {} : { ASSAY_BASE_URL: endpoint.baseUrl, ASSAY_TOKEN: endpoint.token };
}
