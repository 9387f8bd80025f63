import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { findProgram } from "../lib/find-program.ts";
import { nearest } from "../lib/nearest.ts";
import { shellWords } from "../lib/shell-words.ts";
import { bestInstalled } from "../run/choose-harness.ts";
import type { Harness } from "../run/harness.ts";
import { builtin } from "../run/harnesses/builtin/builtin.ts";
import { classifier } from "../run/harnesses/classifier/classifier.ts";
import { commandHarness } from "../run/harnesses/command.ts";
import { type AgentClient, agentClients } from "../run/harnesses/index.ts";
import { scriptedHarness } from "../run/harnesses/scripted.ts";
import { installed } from "./installation.ts";
import { agentService } from "./models/agent-provider.ts";
import type { Machine } from "../machine.ts";
import type { Plugins } from "./plugins.ts";
import type { RunOptions, WhatToRun } from "./run-options.ts";

const NAMES = [
  "auto",
  ...agentClients.map(({ name }) => name),
  "command",
  "builtin",
  "scripted",
  "classifier",
];

/** Flag and environment first, then what the eval files ask for, then `auto`. */
export function harnessNames(
  suite: Suite,
  options: Pick<WhatToRun, "harnesses" | "fallback">,
): readonly string[] {
  if (options.harnesses !== null) return options.harnesses;
  const declared = suite.cases
    .map((one) => one.settings.harness)
    .find((name) => name !== null && name !== "auto");
  return [declared ?? options.fallback.harness ?? "auto"];
}

/** What a harness may be made from. */
export interface HarnessSetup {
  readonly env: Machine["env"];
  readonly cwd: string;
  /** Null: the agent's own default. */
  readonly model: string | null;
}

export type HarnessOptions = Pick<RunOptions, "models" | "replay" | "command" | "script">;

/** The harness of that name; a missing client is reported here, before anything runs. */
export async function makeHarness(
  name: string,
  options: HarnessOptions,
  { machine, plugins }: { machine: Machine; plugins: Plugins["harnesses"] },
): Promise<Harness> {
  switch (name) {
    case "auto":
      return clientOf(await installedClient(machine), machine);
    case "builtin": {
      const service = agentService(options.models?.[0] ?? null, machine, options.replay);
      return builtin({ connect: service.connect, model: service.model });
    }
    case "command":
      return commandOf(options, machine);
    case "scripted":
      return scriptedOf(options, machine);
    case "classifier":
      return classifier({
        connect(model, endpoint) {
          const service = agentService(model ?? options.models?.[0] ?? null, machine, options.replay);
          return { provider: service.connect(endpoint), model: service.model };
        },
      });
    default: {
      const client = agentClients.find((one) => one.name === name);
      if (client !== undefined) return clientOf(client, machine);
      const plugin = plugins.find((one) => one.name === name);
      if (plugin !== undefined)
        return plugin.create({ env: machine.env, cwd: machine.cwd, model: options.models?.[0] ?? null });
      const names = [...NAMES, ...plugins.map((one) => one.name)];
      const near = nearest(name, names);
      throw new UserError("run/unknown-harness", `there is no harness ${JSON.stringify(name)}`, {
        hint: near === null ? `choose one of ${names.join(", ")}` : `did you mean ${near}?`,
      });
    }
  }
}

function clientOf(client: AgentClient, machine: Machine): Harness {
  return client.create({
    program: programOf(client, machine),
    ...surroundings(machine),
    credentials: pick(machine, client.login),
  });
}

async function installedClient(machine: Machine): Promise<AgentClient> {
  const searchPath = machine.env["PATH"] ?? "";
  const found = await Promise.all(
    agentClients.map((client) => findProgram(programOf(client, machine), searchPath, machine.cwd)),
  );
  return bestInstalled(agentClients, (client) => found[agentClients.indexOf(client)] !== null);
}

function programOf({ program, programVariable }: AgentClient, machine: Machine): string {
  return machine.env[programVariable] ?? program;
}

function surroundings(machine: Machine) {
  return { searchPath: machine.env["PATH"] ?? "", cwd: machine.cwd, versionOf };
}

async function versionOf(program: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { timeout: 15_000 });
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}

function pick(machine: Machine, names: readonly string[]): Record<string, string> {
  const found = names
    .map((name) => [name, machine.env[name]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Record<string, string>;
}

function commandOf({ command }: HarnessOptions, machine: Machine): Harness {
  if (command === null) {
    throw new UserError("run/no-command", "the command harness needs to know which program to call", {
      hint: "--command ./my-agent.sh",
    });
  }
  const words = shellWords(command);
  if (words === null) {
    throw new UserError("run/bad-command", `--command ${command} has a quote that is not closed`, {
      hint: `close it, or put the call into a script of its own: --command ./my-agent.sh`,
    });
  }
  const [program = "", ...args] = words;
  return commandHarness({ program, args, ...surroundings(machine) });
}

async function scriptedOf({ script }: HarnessOptions, machine: Machine): Promise<Harness> {
  if (script === null) {
    throw new UserError("run/no-script", "the scripted harness needs a script to play", {
      hint: "--script replies.yaml",
    });
  }
  return scriptedHarness({
    player: installed("bin", "scripted-agent.mjs"),
    script: await scriptAsJson(resolve(machine.cwd, script)),
    node: process.execPath,
  });
}

/** Scripts may be YAML. */
async function scriptAsJson(path: string): Promise<string> {
  const { readDocument } = await import("../load/document.ts");
  const { toPlain } = await import("../lib/document/node.ts");
  const problems: Parameters<Parameters<typeof readDocument>[1]>[0][] = [];
  const document = await readDocument(path, (problem) => problems.push(problem));
  if (document === null)
    throw new UserError("run/bad-script", `the script ${path} cannot be read`, { diagnostics: problems });
  return JSON.stringify(toPlain(document.root));
}
