import { join } from "node:path";
import type { Grading } from "../../domain/grading.ts";
import type { Grader } from "../../grade/grader.ts";
import type { Subject } from "../../grade/subject.ts";
import { type SecretMask, secretMask } from "../../lib/secret-mask.ts";
import type { Machine } from "../../machine.ts";
import type { MODELS } from "../../options/models.ts";
import type { Settled } from "../../options/table.ts";
import { type Config, configured } from "../config.ts";
import { fromPlugin } from "../from-plugin.ts";
import { findLogins, type Logins, NO_LOGINS } from "../logins/access.ts";
import { requireKeys } from "../logins/key-shape.ts";
import { secretsOf } from "../secrets.ts";
import { answersKept } from "../user-folders.ts";
import type { RunGrading } from "./grading.ts";
import { type CassetteOptions, cassettesOf, missNote, type OpenCassettes } from "./cassettes.ts";
import { type JudgeFinder, judgeFinder } from "./judges.ts";
import { readPrompts } from "./prompts.ts";
import { openServices, type Services } from "./services.ts";

export type ModelOptions = Settled<typeof MODELS>;

/** Everything an operation needs to have agents and judges asked. */
export interface Models extends AsyncDisposable {
  readonly services: Services;
  /** Null when nothing is recorded or replayed. */
  readonly cassettes: OpenCassettes | null;
  readonly find: JudgeFinder;
  readonly grade: (subject: Subject, signal: AbortSignal) => Promise<Grading>;
  readonly mask: SecretMask;
  readonly logins: Logins;
}

export interface ModelsRequest {
  readonly models: ModelOptions;
  /** Null for operations that neither record nor replay. */
  readonly cassettes: CassetteOptions | null;
  /** The results folder, absolute. */
  readonly results: string;
  readonly config: Config;
  /** Null for operations whose spending no later call continues. */
  readonly account: AccountFile | null;
}

/** Where a call keeps what it spends of its budget, for one with `resume` that continues it. */
export interface AccountFile {
  /** In the results folder; each operation has its own. */
  readonly file: string;
  readonly resume: boolean;
}

export async function openModels(request: ModelsRequest, machine: Machine): Promise<Models> {
  const { models: options, results, account, config } = request;
  // What cannot be made is told before anything is opened or paid for.
  if (request.cassettes?.replay !== "only") requireKeys(machine.env);
  const ownGraders = await gradersOf(config.plugins);
  const prompts = await readPrompts(options.prompts, machine);
  const logins = await findLogins(machine);
  const mask = secretMask([...secretsOf(machine.env), ...logins.secrets]);
  const cassettes =
    request.cassettes === null ? null : cassettesOf(request.cassettes, { results, machine, mask });
  const ledger = account === null ? null : { path: join(results, account.file), resume: account.resume };
  const services = await openServices(options, machine, { account: ledger, cassettes, logins });
  const judging = {
    flags: options,
    config: {
      gradingProvider: config.settings.grading_provider,
      gradingModel: config.settings.grading_model,
      transport: transportOf(options.transport, config, machine),
    },
    judges: options.judges,
    prompts,
    plugins: config.plugins.judges,
    services,
    logins: cassettes?.mode === "replay" ? NO_LOGINS : logins,
    machine,
    // A remembered answer would leave no recording, and a recording is memory enough.
    cache: options.cache && cassettes === null ? answersKept(machine) : null,
  };
  const find = await opening(services, () => judgeFinder(judging));
  let grading: Promise<RunGrading> | null = null;
  const openGrading = async (): Promise<RunGrading> => {
    const graders = await import("./grading.ts");
    return graders.openGrading(find, { options, ownGraders, now: machine.now });
  };
  return {
    services,
    cassettes,
    find,
    // Loaded while the first agent is at work.
    grade: async (subject, signal) => (await (grading ??= openGrading())).grade(subject, signal),
    mask,
    logins,
    async [Symbol.asyncDispose]() {
      try {
        await (await grading)?.[Symbol.asyncDispose]();
      } finally {
        await services[Symbol.asyncDispose]();
      }
      const note = cassettes === null ? null : missNote(cassettes, machine);
      if (note !== null) machine.note(note);
    },
  };
}

async function gradersOf({ graders }: Config["plugins"]): Promise<readonly Grader[]> {
  if (graders.length === 0) return [];
  const { guardedGrader } = await import("../guards/grader.ts");
  return graders.map(({ name, create }) =>
    fromPlugin({ kind: "grader", name }, () => guardedGrader(create())),
  );
}

/** What comes after the services; where it fails, they are closed. */
async function opening<T>(services: Services, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await services[Symbol.asyncDispose]();
    throw error;
  }
}

/** What the project's configuration says of it matters only where the user has not decided. */
function transportOf(flag: string | null, config: Config, { env }: Machine): string | null {
  const said = [flag, env["ASSAY_TRANSPORT"], env["CLAUDITOR_TRANSPORT"]].some((one) => one?.trim());
  return said ? config.settings.transport : configured(config, "transport");
}
