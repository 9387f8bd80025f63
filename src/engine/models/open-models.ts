import { join } from "node:path";
import type { Grading } from "../../domain/grading.ts";
import type { Subject } from "../../grade/subject.ts";
import { type SecretMask, secretMask } from "../../lib/secret-mask.ts";
import { resultsFolder } from "../results-folder.ts";
import { openGrading } from "./grading.ts";
import { secretsOf } from "../secrets.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { cassettesOf, missNote, type OpenCassettes } from "./cassettes.ts";
import { type JudgeFinder, judgeFinder } from "./judges.ts";
import { readModelOptions } from "../../cli/options/models.ts";
import { openServices, type Services } from "./services.ts";

/** Everything a command needs to have agents and judges asked, as its flags say. */
export interface Models extends AsyncDisposable {
  readonly services: Services;
  /** Null when nothing is recorded or replayed. */
  readonly cassettes: OpenCassettes | null;
  readonly find: JudgeFinder;
  readonly grade: (subject: Subject, signal: AbortSignal) => Promise<Grading>;
  readonly mask: SecretMask;
}

/** Where a call keeps what it spends of its budget, for one with `--resume` that goes on with it. */
export interface Account {
  /** In the results folder; each command has its own. */
  readonly file: string;
  readonly resume: boolean;
}

/** `account` is null for commands whose spending no later call goes on with. */
export async function openModels(
  raw: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  account: Account | null,
): Promise<Models> {
  const options = readModelOptions(raw);
  const results = resultsFolder(raw, terminal);
  const mask = secretMask(secretsOf(terminal.env));
  const cassettes = cassettesOf(raw, { terminal, mask });
  const ledger = account === null ? null : { path: join(results, account.file), resume: account.resume };
  const services = await openServices(options, terminal, { account: ledger, cassettes });
  const find = await judgeFinder({
    flags: options.grading,
    config: options.configuredGrading,
    judges: options.judges,
    services,
    terminal,
    // A remembered answer would leave no recording, and a recording is memory enough.
    cache: options.cache && cassettes === null ? join(results, "cache") : null,
  }).catch(async (error: unknown) => {
    await services[Symbol.asyncDispose]();
    throw error;
  });
  const grading = openGrading(find, options);
  return {
    services,
    cassettes,
    find,
    grade: grading.grade,
    mask,
    async [Symbol.asyncDispose]() {
      await grading[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
      const note = cassettes === null ? null : missNote(cassettes, terminal);
      if (note !== null) terminal.err(`note: ${note}\n`);
    },
  };
}
