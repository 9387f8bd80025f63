import { UserError } from "../../domain/user-error.ts";
import { runOptionsOf } from "../../engine/run-options.ts";
import { surveyMachine } from "../../engine/survey.ts";
import { MODELS } from "../../options/models.ts";
import { RUN } from "../../options/run.ts";
import { settle } from "../../options/table.ts";
import { agentClients, furtherClients } from "../../run/harnesses/index.ts";
import { type OpenDoor, sourcesOf } from "../door.ts";

/** The agents that are installed here, with their versions. */
export async function agentsHere(open: OpenDoor): Promise<readonly string[]> {
  const { machine, config, signal } = open;
  const sources = sourcesOf(open);
  const settled = { ...settle(RUN, {}, sources), ...settle(MODELS, {}, sources) };
  const options = await runOptionsOf(settled, { settings: config.settings, machine, replay: null });
  const survey = surveyMachine(machine, { options, config, own: null, signal });
  const found = await Promise.all(
    [...agentClients, ...furtherClients].map(async ({ name }) => {
      try {
        const { client } = await survey.agent(name);
        return [name, client.version].filter((one) => one !== null).join(" ");
      } catch (error) {
        if (error instanceof UserError) return null;
        throw error;
      }
    }),
  );
  return found.filter((one) => one !== null);
}
