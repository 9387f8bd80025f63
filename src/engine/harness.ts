import { resolve } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { findProgram } from "../lib/find-program.ts";
import { nearest } from "../lib/nearest.ts";
import { shellWords } from "../lib/shell-words.ts";
import type { Machine } from "../machine.ts";
import { bestInstalled } from "../run/choose-harness.ts";
import type { Harness } from "../run/harness.ts";
import {
  type AgentClient,
  agentClients,
  harnesses,
  type HarnessSetup,
  type NamedHarness,
  programOf,
} from "../run/harnesses/index.ts";
import { fromPlugin, fromPluginLater } from "./from-plugin.ts";
import { installed } from "./installation.ts";
import { findLogins } from "./logins/access.ts";
import { LOGIN_CLIENTS, type LoginClient } from "./logins/login.ts";
import { agentService } from "./models/agent-provider.ts";
import type { Plugins } from "./plugins.ts";
import { programVersion } from "./program-version.ts";
import type { RunOptions, WhatToRun } from "./run-options.ts";

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

export type HarnessWishes = Pick<RunOptions, "models" | "replay" | "command" | "script">;

interface HarnessSources {
  readonly machine: Machine;
  readonly plugins: Plugins["harnesses"];
  readonly signal: AbortSignal;
}

/** The harness of that name; a missing client is reported here, before anything runs. */
export async function makeHarness(
  name: string,
  options: HarnessWishes,
  { machine, plugins, signal }: HarnessSources,
): Promise<Harness> {
  const setup = setupOf(options, machine, signal);
  const plugin = plugins.find((one) => one.name === name);
  if (plugin !== undefined) return pluginHarness(plugin, setup, signal);
  const found = name === "auto" ? await installedClient(machine) : named(name, [...harnesses, ...plugins]);
  return found.create(setup);
}

/** Only what calls itself by the name that it was added under: plans name their harness, and must find it again. */
async function pluginHarness(
  { name, create }: Plugins["harnesses"][number],
  setup: HarnessSetup,
  signal: AbortSignal,
): Promise<Harness> {
  const { guardedHarness } = await import("./guards/harness.ts");
  const part = { kind: "harness", name } as const;
  const made = await fromPluginLater(part, () => create(setup), signal);
  const harness = fromPlugin(part, () => guardedHarness(made));
  if (harness.name === name)
    return { ...harness, find: () => fromPluginLater(part, () => harness.find(), signal) };
  throw new UserError(
    "config/bad-plugin",
    `the harness ${name} in your configuration calls itself ${JSON.stringify(harness.name)}`,
    { hint: `set its name:  ${JSON.stringify(name)}` },
  );
}

function named(name: string, known: readonly NamedHarness[]): NamedHarness {
  const found = known.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = ["auto", ...known.map((one) => one.name)];
  const near = names.find((one) => name !== "" && one.startsWith(name)) ?? nearest(name, names);
  throw new UserError("run/unknown-harness", `there is no harness ${JSON.stringify(name)}`, {
    hint: near === null ? `choose one of ${names.join(", ")}` : `did you mean ${near}?`,
  });
}

async function installedClient(machine: Machine): Promise<NamedHarness> {
  const { env, cwd } = machine;
  const found = await Promise.all(
    agentClients.map((client) => findProgram(programOf(client, env), env["PATH"] ?? "", cwd)),
  );
  const misnamed = agentClients.find((client, at) => found[at] === null && isNamed(client, env));
  if (misnamed !== undefined) throw noSuchProgram(misnamed, env);
  const { access } = await findLogins(machine);
  return bestInstalled(
    agentClients,
    (client) => found[agentClients.indexOf(client)] !== null,
    // A login of no use is told with what to do about it, so it is not passed over.
    ({ program }) => isLoginClient(program) && access[program].kind !== "none",
  );
}

function setupOf(
  { models, replay, command, script }: HarnessWishes,
  machine: Machine,
  signal: AbortSignal,
): HarnessSetup {
  return {
    env: machine.env,
    cwd: machine.cwd,
    model: models?.[0] ?? null,
    service: (model) => agentService(model, machine, replay),
    command: () => commandOf(command),
    script: async () => ({
      script: await scriptAsJson(script, machine),
      player: installed("bin", "scripted-agent.mjs"),
      node: process.execPath,
    }),
    loggedIn: async (program) =>
      !replay && isLoginClient(program) && (await findLogins(machine)).access[program].kind === "login",
    versionOf: (program) => programVersion(program, signal),
  };
}

function isLoginClient(program: string): program is LoginClient {
  return (LOGIN_CLIENTS as readonly string[]).includes(program);
}

function commandOf(command: string | null): { program: string; args: readonly string[] } {
  if (command === null) {
    throw new UserError("run/no-command", "the command harness needs to know which program to call", {
      hint: "--command ./my-agent.sh",
    });
  }
  const words = shellWords(command);
  if (words === null) {
    throw new UserError("run/bad-command", `--command ${command} has a quote that is not closed`, {
      hint: `close it, or put the call into its own script: --command ./my-agent.sh`,
    });
  }
  const [program = "", ...args] = words;
  return { program, args };
}

/** The user says which program it is, rather than leaving it to PATH. */
function isNamed({ programVariable }: AgentClient, env: Machine["env"]): boolean {
  return (env[programVariable] ?? "").trim() !== "";
}

function noSuchProgram(client: AgentClient, env: Machine["env"]): UserError {
  const { name, programVariable } = client;
  return new UserError(
    "run/no-client",
    `${programVariable} is ${JSON.stringify(programOf(client, env))}, which is not a program that can be run`,
    { hint: `correct or unset ${programVariable}, or choose another agent than ${name} with --harness` },
  );
}

/** Scripts may be YAML. */
async function scriptAsJson(script: string | null, { cwd }: Machine): Promise<string> {
  if (script === null) {
    throw new UserError("run/no-script", "the scripted harness needs a script to play", {
      hint: "--script replies.yaml",
    });
  }
  const { readDocument } = await import("../load/document.ts");
  const { toPlain } = await import("../lib/document/node.ts");
  const path = resolve(cwd, script);
  const problems: Diagnostic[] = [];
  const document = await readDocument(path, (problem) => void problems.push(problem));
  if (document === null)
    throw new UserError("run/bad-script", `the script ${path} cannot be read`, { diagnostics: problems });
  return JSON.stringify(toPlain(document.root));
}
