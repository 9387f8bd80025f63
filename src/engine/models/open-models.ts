import { join } from "node:path";
import type { Grading } from "../../domain/grading.ts";
import type { Subject } from "../../grade/subject.ts";
import { type SecretMask, secretMask } from "../../lib/secret-mask.ts";
import type { Machine } from "../../machine.ts";
import type { MODELS } from "../../options/models.ts";
import type { Settled } from "../../options/table.ts";
import type { Config } from "../config.ts";
import { findLogins, type Logins, NO_LOGINS } from "../logins/access.ts";
import { secretsOf } from "../secrets.ts";
import { type CassetteOptions, cassettesOf, missNote, type OpenCassettes } from "./cassettes.ts";
import { openGrading } from "./grading.ts";
import { type JudgeFinder, judgeFinder } from "./judges.ts";
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
  readonly account: Account | null;
}

/** Where a call keeps what it spends of its budget, for one with `resume` that continues it. */
export interface Account {
  /** In the results folder; each operation has its own. */
  readonly file: string;
  readonly resume: boolean;
}

export async function openModels(request: ModelsRequest, machine: Machine): Promise<Models> {
  const { models: options, results, account, config } = request;
  const logins = await findLogins(machine);
  const mask = secretMask([...secretsOf(machine.env), ...logins.secrets]);
  const cassettes =
    request.cassettes === null ? null : cassettesOf(request.cassettes, { results, machine, mask });
  const ledger = account === null ? null : { path: join(results, account.file), resume: account.resume };
  const services = await openServices(options, machine, { account: ledger, cassettes, logins });
  const find = await judgeFinder({
    flags: options,
    config: {
      gradingProvider: config.settings.grading_provider,
      gradingModel: config.settings.grading_model,
      transport: config.settings.transport,
    },
    judges: options.judges,
    plugins: config.plugins.judges,
    services,
    logins: cassettes?.mode === "replay" ? NO_LOGINS : logins,
    machine,
    // A remembered answer would leave no recording, and a recording is memory enough.
    cache: options.cache && cassettes === null ? join(results, "cache") : null,
  }).catch(async (error: unknown) => {
    await services[Symbol.asyncDispose]();
    throw error;
  });
  const grading = openGrading(find, { options, plugins: config.plugins.graders, now: machine.now });
  return {
    services,
    cassettes,
    find,
    grade: grading.grade,
    mask,
    logins,
    async [Symbol.asyncDispose]() {
      await grading[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
      const note = cassettes === null ? null : missNote(cassettes, machine);
      if (note !== null) machine.note(note);
    },
  };
}
