import type { Diagnostic } from "../domain/diagnostic.ts";
import { type EvalEvent, isDurable } from "../domain/event.ts";
import { STORE_SCHEMA } from "../domain/iteration.ts";
import { countsAs } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import { diskFault } from "../domain/disk-fault.ts";
import { UserError } from "../domain/user-error.ts";
import { openAppendLog } from "../lib/append-log.ts";
import { readLines, toJsonLine } from "../lib/jsonl.ts";
import { lineBlocks } from "../lib/line-blocks.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { eventFlaw } from "./read/event-flaw.ts";
import { withEveryField } from "./read/old-event.ts";

/** The append-only truth of one iteration; everything else in its folder can be made again from it and the transcripts. */
export interface Journal extends AsyncDisposable {
  /** Resolves when the event will outlast a crash, for a trial's commit and its verdicts also one of the machine. */
  append(event: EvalEvent): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly path: string;
  readonly mask: SecretMask;
  /** References from `trialRef` of trials that an earlier runner committed. */
  readonly committed: Iterable<string>;
}

/** Requires the iteration's lock. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, mask } = options;
  const committed = new Set(options.committed);
  const log = await openAppendLog(path).catch((error: unknown) => {
    throw writeError(path, error);
  });

  async function append(event: EvalEvent): Promise<void> {
    if (!isDurable(event)) return;
    const commits = event.kind === "trial-finished" && countsAs(event.run.outcome) !== "left-out";
    const ref = commits ? trialRef(event.trial) : "";
    if (committed.has(ref)) throw new Error(`trial ${event.kind} twice: ${ref}`);
    if (commits) committed.add(ref);
    try {
      await log.append(toJsonLine({ schema: STORE_SCHEMA, ...mask.json(event) }), {
        durable: SYNCED.has(event.kind),
      });
    } catch (error) {
      committed.delete(ref);
      throw writeError(path, error);
    }
  }

  const close = () => log.close();
  return { append, close, [Symbol.asyncDispose]: close };
}

const SYNCED: ReadonlySet<string> = new Set([
  "iteration-started",
  "trial-finished",
  "verdicts-recorded",
  "iteration-finished",
]);

/** Names a trial and the content it was run with; a changed prompt or skill is another reference. */
export function trialRef(trial: Pick<Trial, "id" | "key">): string {
  return `${trial.id} ${trial.key}`;
}

export interface JournalReading {
  readonly events: readonly EvalEvent[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All whole records in order; none when there is no journal yet. A line that a crash left unfinished at the end does not count and is no problem. */
export async function readJournal(path: string): Promise<JournalReading> {
  const events: EvalEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  try {
    for await (const { line, text } of readLines(path)) {
      const record = parseRecord(text);
      if (typeof record === "string") diagnostics.push(problem(path, line, record));
      else events.push(record);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { events, diagnostics };
    diagnostics.push(problem(path, 1, `cannot be read: ${(error as Error).message}`));
  }
  return { events, diagnostics };
}

/** What was added since: the events from a byte on, and where the next one will begin. What cannot be read is left out. */
export async function readJournalFrom(
  path: string,
  from: number,
): Promise<{ readonly events: readonly EvalEvent[]; readonly end: number }> {
  const events: EvalEvent[] = [];
  let end = from;
  try {
    for await (const { bytes, start } of lineBlocks(path, from)) {
      const records = bytes.toString("utf8").trimEnd().split("\n").map(parseRecord);
      events.push(...records.filter((record) => typeof record !== "string"));
      end = start + bytes.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { events, end };
}

function parseRecord(text: string): EvalEvent | string {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return "the line is not JSON: it was damaged after it was written, and is ignored";
  }
  if (record === null || typeof record !== "object" || !("kind" in record) || !("schema" in record)) {
    return "the line is not a journal event, and is ignored";
  }
  const { schema, ...event } = record;
  if (typeof schema !== "number" || schema > STORE_SCHEMA) {
    return `the event was written by a newer Assay (schema ${String(schema)}, this one knows ${STORE_SCHEMA})`;
  }
  const flaw = eventFlaw(event);
  if (flaw !== null) return `the event is not valid at ${flaw}, and is ignored`;
  return withEveryField(event as EvalEvent);
}

function problem(file: string, line: number, message: string): Diagnostic {
  return {
    severity: "error",
    code: "journal/unreadable",
    message,
    at: { file, line, column: 1 },
    hint: null,
  };
}

function writeError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new UserError("store/unwritable", `cannot write ${path}: ${(error as Error).message}`, {
      hint: "check the permissions, or choose another folder with --workspace",
      cause: error,
    });
  }
  return diskFault(error, path) ?? error;
}
