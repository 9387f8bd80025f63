import { readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { type Cassettes, openCassettes } from "../../gateway/cassette/cassettes.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { plural } from "../../lib/plural.ts";
import type { Machine } from "../../machine.ts";
import type { CASSETTES } from "../../options/models.ts";
import type { Settled } from "../../options/table.ts";
import { projectFolder } from "../../store/layout.ts";

/** Recorded model traffic, as the user asked for it. */
export interface OpenCassettes {
  readonly mode: "record" | "replay" | "auto";
  /** Absolute; never visible to an agent. */
  readonly folder: string;
  readonly tapes: Cassettes;
}

export type CassetteOptions = Settled<typeof CASSETTES>;

/** Null when nothing is to be recorded or replayed. Throws a UserError where there is nothing to replay. */
export function cassettesOf(
  { record, replay, replayStrict, cassettes }: CassetteOptions,
  { results, machine, mask }: { results: string; machine: Machine; mask: SecretMask },
): OpenCassettes | null {
  if (record && replay !== null) {
    throw new UserError("run/record-and-replay", "--record and --replay cannot be combined", {
      hint: "--replay=auto replays what fits and records the rest",
    });
  }
  if (!record && replay === null) return null;
  const folder = cassettes === null ? projectFolder(results).cassettes : resolve(machine.cwd, cassettes);
  const mode = record ? "record" : replay === "auto" ? "auto" : "replay";
  if (mode === "replay" && !hasRecordings(folder)) throw nothingRecorded(folder, machine);
  return {
    mode,
    folder,
    tapes: openCassettes({ folder, mode, strict: replayStrict, mask, now: machine.now }),
  };
}

/** What to do about questions to judges that had no recorded answer; null where all had one. */
export function missNote({ folder, tapes }: OpenCassettes, { cwd }: Pick<Machine, "cwd">): string | null {
  const missed = tapes.judges.misses.length;
  if (missed === 0) return null;
  return `${plural(missed, "question")} to judges had no recorded answer in ${shown(folder, cwd)}; repeat the command with --replay=auto to ask and record what is missing`;
}

function hasRecordings(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).some((path) => path.endsWith(".jsonl"));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function nothingRecorded(folder: string, { cwd }: Machine): UserError {
  return new UserError("replay/nothing-recorded", `--replay: nothing is recorded in ${shown(folder, cwd)}`, {
    hint: "repeat the command with --record first, or set the folder of the recordings with --cassettes",
  });
}

function shown(folder: string, cwd: string): string {
  return relative(cwd, folder) || ".";
}
