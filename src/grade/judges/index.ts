import type { Provider } from "../../providers/provider.ts";
import type { Judge } from "../judge.ts";
import { apiJudge } from "./api.ts";
import { cliJudge } from "./cli/cli.ts";
import type { CliClient } from "./cli/client.ts";
import type { RunProgram } from "./cli/program.ts";

/** What a judge may be made from. */
interface JudgeSetup {
  readonly provider: string;
  readonly model: string;
  /** The model service; null: it is not configured. */
  readonly service: () => Provider | null;
  /** Absolute path of a client's program; null: it is not installed. */
  readonly programOf: (client: CliClient["name"]) => string | null;
  /** The whole environment of such a program. */
  readonly env: Readonly<Record<string, string>>;
  readonly runProgram: RunProgram;
}

export interface NamedJudge {
  /** What `--transport` calls it. */
  readonly name: "api" | "cli";
  /** One line for help and docs. */
  readonly help: string;
  /** Null where what it needs is not there. */
  readonly create: (setup: JudgeSetup) => Judge | null;
}

/** Every judge there is without a configuration. */
export const judges: readonly NamedJudge[] = [
  {
    name: "api",
    help: "asks a model service, with a key",
    create({ service, model }) {
      const provider = service();
      return provider === null ? null : apiJudge({ provider, model });
    },
  },
  {
    name: "cli",
    help: "asks claude or codex on this machine, with your login",
    create({ provider, model, programOf, env, runProgram }) {
      const client = provider === "anthropic" ? "claude" : "codex";
      const program = programOf(client);
      return program === null ? null : cliJudge({ client, program, model, env, endpoint: null, runProgram });
    },
  },
];
