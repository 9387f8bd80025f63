import { readFile } from "node:fs/promises";
import { UserError } from "../../../domain/user-error.ts";
import { parseLine } from "../../../lib/loose.ts";
import type { MessagePart, ModelMessage } from "../../../providers/provider.ts";
import type { HarnessContext } from "../../harness.ts";
import { agentConfigDirectory } from "../../workspace/env.ts";

/** What a conversation needs to be gone on with. */
interface Session {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
}

/** Where the agent leaves its session when it has ended. */
export function sessionPath(home: string): string {
  return `${agentConfigDirectory(home)}/session.json`;
}

/** Answers what went wrong, which is the agent's doing: the home is its own. */
export async function writeSession(
  { system, messages }: Session,
  { writeHome }: Pick<HarnessContext, "writeHome">,
): Promise<readonly string[]> {
  try {
    await writeHome(sessionPath("."), JSON.stringify({ system, messages: allAnswered(messages) }));
    return [];
  } catch (error) {
    return [`the agent's session was not kept: ${error instanceof Error ? error.message : String(error)}`];
  }
}

export async function readSession(file: string): Promise<Session> {
  const said = parseLine(await readFile(file, "utf8").catch(() => ""));
  if (typeof said?.["system"] !== "string" || !Array.isArray(said["messages"]))
    throw new UserError("run/bad-session", `${file} holds no session of the builtin agent`);
  return said as unknown as Session;
}

/** A run may end in the middle of its calls, and services refuse a conversation in which a call has no result. */
function allAnswered(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const last = messages.at(-1);
  const calls = last?.role === "assistant" ? last.parts.filter((part) => part.kind === "tool-call") : [];
  if (calls.length === 0) return messages;
  const parts = calls.map(({ callId }): MessagePart => ({
    kind: "tool-result",
    callId,
    output: "not done: the run was over",
    isError: true,
  }));
  return [...messages, { role: "user", parts }];
}
