import { join } from "node:path";
import { readScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay, type CommandOutcome } from "./command-line.ts";
import { EXAMPLES } from "./examples.ts";

/** One command about an example skill, whose model plays the example's own script. */
export async function assayOnExample(
  name: string,
  words: readonly string[],
  { workspace }: { readonly workspace: string },
): Promise<CommandOutcome> {
  const example = join(EXAMPLES, name);
  await using sim = await startSim(await readScript(join(EXAMPLES, "demo", `${name}.model.yaml`)));
  const [command = "", ...rest] = words;
  const agent = ["--harness", "builtin", "--trust", "--workspace", workspace];
  const judge = ["--transport", "api", "--grading-provider", "anthropic"];
  const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "any-key-will-do" };
  return await assay([command, example, ...agent, ...judge, ...rest], { cwd: workspace, env });
}
