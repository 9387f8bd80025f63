import type { Provider } from "../../providers/provider.ts";
import type { Judge } from "../judge.ts";
import { apiJudge } from "./api.ts";
import { cliJudge, type CliJudgeOptions } from "./cli/cli.ts";

/** What a judge may be made from. */
interface JudgeSetup {
  readonly model: string;
  /** The model service; null: it is not configured. */
  readonly service: () => Provider | null;
  /** How a client's program is called; null: it is not installed. */
  readonly program: () => CliJudgeOptions | null;
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
    create({ program }) {
      const call = program();
      return call === null ? null : cliJudge(call);
    },
  },
];
