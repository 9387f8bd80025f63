import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
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
  agentClients,
  harnesses,
  type HarnessSetup,
  type NamedHarness,
  programOf,
} from "../run/harnesses/index.ts";
import { installed } from "./installation.ts";
import { findLogins } from "./logins/access.ts";
import { LOGIN_CLIENTS, type LoginClient } from "./logins/login.ts";
import { agentService } from "./models/agent-provider.ts";
import type { Plugins } from "./plugins.ts";
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

export type HarnessOptions = Pick<RunOptions, "models" | "replay" | "command" | "script">;

/** The harness of that name; a missing client is reported here, before anything runs. */
export async function makeHarness(
  name: string,
  options: HarnessOptions,
  { machine, plugins }: { machine: Machine; plugins: Plugins["harnesses"] },
): Promise<Harness> {
  const found = name === "auto" ? await installedClient(machine) : named(name, [...harnesses, ...plugins]);
  const harness = await found.create(setupOf(options, machine));
  if (harness.name === found.name) return harness;
  // Plans name their harness, and must find it again.
  throw new UserError(
    "config/bad-plugin",
    `the harness ${found.name} of your configuration calls itself ${JSON.stringify(harness.name)}`,
    { hint: `let it answer name: ${JSON.stringify(found.name)}` },
  );
}

function named(name: string, known: readonly NamedHarness[]): NamedHarness {
  const found = known.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = ["auto", ...known.map((one) => one.name)];
  const near = nearest(name, names);
  throw new UserError("run/unknown-harness", `there is no harness ${JSON.stringify(name)}`, {
    hint: near === null ? `choose one of ${names.join(", ")}` : `did you mean ${near}?`,
  });
}

async function installedClient({ env, cwd }: Machine): Promise<NamedHarness> {
  const found = await Promise.all(
    agentClients.map((client) => findProgram(programOf(client, env), env["PATH"] ?? "", cwd)),
  );
  return bestInstalled(agentClients, (client) => found[agentClients.indexOf(client)] !== null);
}

function setupOf({ models, replay, command, script }: HarnessOptions, machine: Machine): HarnessSetup {
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
    versionOf,
  };
}

function isLoginClient(program: string): program is LoginClient {
  return (LOGIN_CLIENTS as readonly string[]).includes(program);
}

async function versionOf(program: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { timeout: 15_000 });
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
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
      hint: `close it, or put the call into a script of its own: --command ./my-agent.sh`,
    });
  }
  const [program = "", ...args] = words;
  return { program, args };
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
