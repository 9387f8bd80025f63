import { readFile, stat } from "node:fs/promises";
import { UserError } from "../../domain/user-error.ts";
import { boundedLines } from "../../lib/bounded-lines.ts";
import { parseLine } from "../../lib/loose.ts";
import { plural } from "../../lib/plural.ts";
import { claudeLog } from "./claude-log.ts";
import { codexLog } from "./codex-log.ts";
import { pastedSession } from "./pasted.ts";
import type { Session, SessionEvent } from "./session.ts";

const MOST_LINE_BYTES = 16 * 1024 * 1024;
const MOST_EVENTS = 2000;
const MOST_TEXT = 20_000;
const MOST_CONTENT = 256 * 1024;
const MOST_PASTED = 4 * 1024 * 1024;

/**
 * Reads a log of Claude Code or Codex, line by line, or a pasted transcript. What cannot be used is said; a log without
 * anything that a person typed is refused.
 */
export async function readSession(path: string): Promise<Session> {
  if (!(await stat(path).catch(() => null))?.isFile()) {
    throw new UserError("session/no-file", `${path} is not a file that can be read`, {
      hint: "Claude Code keeps logs in ~/.claude/projects/, Codex in ~/.codex/sessions/; a pasted transcript works too",
    });
  }
  const log = await readLog(path);
  if (log !== null && log.events.some(({ kind }) => kind === "user")) return log;
  if (log !== null) {
    const version = log.version === null ? "" : ` of ${log.version}`;
    throw new UserError(
      "session/nothing-typed",
      `${path} is a log${version} in which nothing that a person typed is found`,
      {
        hint: "its form may be of a version that is not known; paste the conversation into a text file instead, with `User:` and `Assistant:` before each turn",
      },
    );
  }
  if ((await stat(path)).size > MOST_PASTED) throw noSession(path);
  return pastedSession(await readFile(path, "utf8")) ?? fail(noSession(path));
}

/** Null: hardly a line is of a known log. */
async function readLog(path: string): Promise<Session | null> {
  const events: SessionEvent[] = [];
  let dropped = 0;
  const tell = (event: SessionEvent) => {
    if (events.length < MOST_EVENTS || event.kind === "user") events.push(bounded(event));
    else dropped++;
  };
  const readers = { "claude-code": claudeLog(tell), codex: codexLog(tell) };
  let client: keyof typeof readers | null = null;
  const counts = { known: 0, unknown: 0, long: 0 };
  let torn = false;
  for await (const { line, text, isLast } of boundedLines(path, MOST_LINE_BYTES)) {
    if (text === null) counts.long++;
    if (text === null || text.trim() === "") continue;
    const record = parseLine(text);
    if (record === null && isLast) torn = true;
    else if (record === null) counts.unknown++;
    if (record === null) {
      if (client === null && line > 50) return null;
      continue;
    }
    client ??= record["payload"] !== undefined ? "codex" : "claude-code";
    if (readers[client].hear(record)) counts.known++;
    else counts.unknown++;
  }
  if (client === null || counts.known === 0) return null;
  const problems = [
    ...(torn ? ["its last line is torn, and is left out"] : []),
    ...(counts.unknown > 0
      ? [
          `${plural(counts.unknown, "line")} of it could not be read, and ${counts.unknown === 1 ? "is" : "are"} left out`,
        ]
      : []),
    ...(counts.long > 0
      ? [
          `${plural(counts.long, "line")} of it ${counts.long === 1 ? "is" : "are"} longer than 16 MB, and left out`,
        ]
      : []),
    ...(dropped > 0
      ? [
          `it is very long: ${plural(dropped, "step")} of the agent after the first ${MOST_EVENTS} are left out`,
        ]
      : []),
  ];
  const { version, cwd } = readers[client];
  return { client, version, cwd, events, problems };
}

function bounded(event: SessionEvent): SessionEvent {
  switch (event.kind) {
    case "user":
    case "assistant":
      return { ...event, text: beginning(event.text, MOST_TEXT) };
    case "read":
      return event.content.length <= MOST_CONTENT
        ? event
        : { ...event, content: beginning(event.content, MOST_CONTENT), whole: false };
    case "wrote":
      return event;
  }
}

/** A copy: a slice alone would keep the whole of a long text in memory. */
function beginning(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

function noSession(path: string): UserError {
  return new UserError(
    "session/unknown",
    `${path} is neither a log of Claude Code or Codex nor a transcript`,
    {
      hint: "a transcript has `User:` and `Assistant:` before each turn",
    },
  );
}

function fail(error: UserError): never {
  throw error;
}
