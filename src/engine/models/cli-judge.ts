import { type ProgramName, judgeProgram } from "../../domain/grading-provider.ts";
import type { CliJudgeOptions } from "../../grade/judges/cli/cli.ts";
import { findProgram } from "../../lib/find-program.ts";
import type { Machine } from "../../machine.ts";
import type { GradingChoice } from "../../providers/grading-choice.ts";
import { agentClients, programOf } from "../../run/harnesses/index.ts";
import type { Logins } from "../logins/access.ts";
import { loginService } from "../logins/login.ts";
import { runProgram } from "./run-program.ts";
import type { Services } from "./services.ts";

export type Programs = Readonly<Record<ProgramName, string | null>>;

/** The programs that stand for the clients, whether they run trials or judge. */
export async function installedPrograms({ env, cwd }: Machine): Promise<Programs> {
  const find = async (name: keyof Programs) => {
    const client = agentClients.find(({ program }) => program === name);
    return client === undefined ? null : findProgram(programOf(client, env), env["PATH"] ?? "", cwd);
  };
  return { claude: await find("claude"), codex: await find("codex") };
}

interface CliJudgeParts {
  readonly machine: Machine;
  readonly logins: Logins;
  readonly services: Pick<Services, "gateway" | "judgeTape">;
}

/**
 * The client asks through the gateway, which holds its key or login, and finds nothing of the user's. Only where neither is
 * known here, as with a keychain, it runs in the user's HOME, to find its login by itself.
 */
export function cliCallOf(
  { provider, model }: GradingChoice,
  programs: Programs,
  { machine, logins, services }: CliJudgeParts,
): CliJudgeOptions | null {
  const client = judgeProgram(provider);
  const program = client === null ? null : programs[client];
  if (client === null || program === null) return null;
  const { kind } = logins.access[client];
  const byKey = kind === "key" || kind === "server";
  const upstream = kind === "login" ? loginService(client) : byKey ? provider : null;
  const endpoint =
    upstream === null || services.gateway === null || services.judgeTape !== null
      ? null
      : services.gateway.open({ trial: "judge", model, upstream }).endpoint;
  return {
    client,
    program,
    model,
    env: envOf(machine, endpoint === null ? ["HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"] : []),
    endpoint: endpoint === null ? null : { ...endpoint, loggedIn: kind === "login" },
    runProgram,
  };
}

function envOf({ env }: Machine, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    ["PATH", "LANG", ...names].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
