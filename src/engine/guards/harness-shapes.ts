import type { Denial, LeftOutStatus, Outcome } from "../../domain/run.ts";
import type { TranscriptBody } from "../../domain/transcript.ts";
import { pathProblem, pathProblemText } from "../../lib/relative-path.ts";
import { optionalOrNull, required } from "../../lib/shape/object.ts";
import { fields } from "../../lib/shape/read-plain.ts";
import { invalid, pathText, type Shape } from "../../lib/shape/shape.ts";
import { tagged } from "../../lib/shape/tagged.ts";
import { anything, bool, int, list, number, oneOf, record, refine, text } from "../../lib/shape/values.ts";
import type { Client, Harness, HarnessRun } from "../../run/harness.ts";
import type { Command } from "../../run/process/command.ts";
import { USAGE } from "./usage.ts";

const words = () => text({ blank: "allowed" });
const orNull = (shape: Shape<string> = text()) => optionalOrNull(shape);

/** What a harness is beside its verbs. */
export const HARNESS: Shape<Pick<Harness, "name" | "skillsFolder" | "onlyPrograms">> = fields({
  name: required(text()),
  skillsFolder: required(
    refine(text(), (path, context, node) => {
      const problem = pathProblem(path);
      if (problem === null) return path;
      const message = `${pathText(context.path)} ${pathProblemText(problem)}: ${JSON.stringify(path)}`;
      return invalid(context, node, { code: "bad-path", message, hint: "it is a folder of the workspace" });
    }),
  ),
  onlyPrograms: optionalOrNull(bool(), false),
});

export const CLIENT: Shape<Client> = fields({
  name: required(text()),
  version: orNull(),
  readable: required(list(absolutePath())),
});

const message = { message: required(words()) };
const LEFT_OUT = Object.keys({
  auth: true,
  "rate-limit": true,
  api: true,
  network: true,
  budget: true,
  "setup-skipped": true,
  "over-limit": true,
  "disk-full": true,
  invalid: true,
  interrupted: true,
} satisfies Record<LeftOutStatus, true>) as LeftOutStatus[];
const leftOut = (status: LeftOutStatus) =>
  fields({ status: required(oneOf([status])), ...message, mayPass: required(bool()) });

const OUTCOME = tagged<Outcome>("status", {
  completed: fields({ status: required(oneOf(["completed"])) }),
  "timed-out": fields({ status: required(oneOf(["timed-out"])), afterMs: required(number({ min: 0 })) }),
  interactive: fields({
    status: required(oneOf(["interactive"])),
    cause: required(oneOf(["question", "background-task"])),
    ...message,
  }),
  "max-turns": fields({ status: required(oneOf(["max-turns"])), ...message }),
  crashed: fields({ status: required(oneOf(["crashed"])), ...message }),
  ...Object.fromEntries(LEFT_OUT.map((status) => [status, leftOut(status)])),
});

const DENIAL: Shape<Denial> = fields({ tool: required(text()), input: required(anything()) });

export const HARNESS_RUN: Shape<HarnessRun> = fields({
  outcome: required(OUTCOME),
  model: orNull(),
  sessionId: orNull(),
  steps: required(int({ min: 0 })),
  usage: required(USAGE),
  denials: required(list(DENIAL)),
  skillsOffered: optionalOrNull(list(text())),
  clientVersion: orNull(),
  notes: required(list(words())),
});

export const BODY = tagged<TranscriptBody>("kind", {
  message: fields({
    kind: required(oneOf(["message"])),
    role: required(oneOf(["user", "assistant"])),
    text: required(words()),
  }),
  thinking: fields({ kind: required(oneOf(["thinking"])), text: required(words()) }),
  "tool-call": fields({
    kind: required(oneOf(["tool-call"])),
    callId: required(words()),
    tool: required(text()),
    input: required(anything()),
  }),
  "tool-result": fields({
    kind: required(oneOf(["tool-result"])),
    callId: required(words()),
    tool: orNull(),
    output: required(words()),
    isError: required(bool()),
    denied: required(bool()),
  }),
  "skill-activated": fields({
    kind: required(oneOf(["skill-activated"])),
    skill: required(text()),
    by: required(oneOf(["tool", "read", "invocation", "client"])),
  }),
  error: fields({ kind: required(oneOf(["error"])), ...message }),
  usage: fields({ kind: required(oneOf(["usage"])), usage: required(USAGE) }),
});

export const HEAD = fields({ turn: optionalOrNull(int({ min: 1 }), 1), agent: orNull() });

export const COMMAND: Shape<Command> = fields({
  program: required(text()),
  args: required(list(words())),
  cwd: required(text()),
  env: required(record(words())),
  stdin: required(words()),
});

function absolutePath(): Shape<string> {
  return refine(text(), (path, context, node) => {
    if (path.startsWith("/") && !path.includes("\0")) return path;
    const message = `${pathText(context.path)} must be an absolute path, not ${JSON.stringify(path)}`;
    return invalid(context, node, { code: "bad-path", message });
  });
}
