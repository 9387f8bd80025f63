import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { UserError } from "../../domain/user-error.ts";
import { type Cassettes, openCassettes } from "../../gateway/cassette/cassettes.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { textOption } from "../../cli/options/targets.ts";
import { plural } from "../../lib/plural.ts";
import { resultsFolder } from "../results-folder.ts";
import type { Terminal } from "../../cli/terminal.ts";

/** Recorded model traffic, as the user asked for it. */
export interface OpenCassettes {
  readonly mode: "record" | "replay" | "auto";
  /** Absolute; never visible to an agent. */
  readonly folder: string;
  readonly tapes: Cassettes;
}

export function defineCassetteOptions(command: Command): void {
  command
    .option("--record", "keep what models say, so that the same run can be replayed without them")
    .addOption(
      new Option(
        "--replay [how]",
        "play back what was recorded, without network or key; auto records what is new",
      )
        .choices(["only", "auto"])
        .preset("only"),
    )
    .option("--replay-strict", "a tool result that differs from the recording is a miss")
    .option("--cassettes <dir>", "where recordings are (default: cassettes in the results folder)");
}

/** Null when nothing is to be recorded or replayed. Throws a UserError where there is nothing to replay. */
export function cassettesOf(
  raw: Readonly<Record<string, unknown>>,
  { terminal, mask }: { terminal: Terminal; mask: SecretMask },
): OpenCassettes | null {
  const record = raw["record"] === true;
  const replay = textOption(raw["replay"]);
  if (record && replay !== null) {
    throw new UserError("run/record-and-replay", "--record and --replay exclude each other", {
      hint: "--replay=auto replays what fits and records the rest",
    });
  }
  if (!record && replay === null) return null;
  const given = textOption(raw["cassettes"]);
  const folder =
    given === null ? join(resultsFolder(raw, terminal), "cassettes") : resolve(terminal.cwd, given);
  const mode = record ? "record" : replay === "auto" ? "auto" : "replay";
  if (mode === "replay" && !hasRecordings(folder)) throw nothingRecorded(folder, terminal);
  return {
    mode,
    folder,
    tapes: openCassettes({ folder, mode, strict: raw["replayStrict"] === true, mask, now: () => new Date() }),
  };
}

/** What to do about questions to judges that had no recorded answer; null where all had one. */
export function missNote({ folder, tapes }: OpenCassettes, { cwd }: Pick<Terminal, "cwd">): string | null {
  const missed = tapes.judges.misses.length;
  if (missed === 0) return null;
  return `${plural(missed, "question")} to judges had no recorded answer in ${shown(folder, cwd)}; the same with --replay=auto asks and records what is missing`;
}

function hasRecordings(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).some((path) => path.endsWith(".jsonl"));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function nothingRecorded(folder: string, { cwd }: Terminal): UserError {
  return new UserError("replay/nothing-recorded", `--replay: nothing is recorded in ${shown(folder, cwd)}`, {
    hint: "call the same with --record first, or name the folder of the recordings with --cassettes",
  });
}

function shown(folder: string, cwd: string): string {
  return relative(cwd, folder) || ".";
}
