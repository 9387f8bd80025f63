import { readFile } from "node:fs/promises";
import type { EvidenceSource } from "../../../domain/verdict.ts";
import { lastJson } from "../../../lib/last-json.ts";
import type { SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import type { CheckOf } from "../../code-grader.ts";
import { cut, type Decision, failed, unscored } from "../../decision.ts";
import { decideJson } from "../../json-expectation.ts";
import type { Subject } from "../../subject.ts";

/** Looks at the last JSON block of the main agent's last message; at the output where there is no transcript. */
export async function decideFinalJson(
  check: CheckOf<"final_json">,
  subject: Subject,
  regex: SafeRegex,
): Promise<Decision> {
  const message = (await lastMessage(subject)) ?? (await outputText(subject));
  if (message === null) return unscored("there is neither a transcript nor an output to read");
  const { text, source } = message;
  const found = lastJson(text);
  switch (found.status) {
    case "none":
      return failed("the final message has no JSON", [{ kind: "absence", searched: [source] }]);
    case "broken":
      return failed(`the final message's JSON cannot be read: ${found.problem}`, [
        { kind: "quote", text: cut(found.source), source },
      ]);
    case "found":
      return decideJson({ json: found.value, at: check.path, expected: check.expected, source }, regex);
  }
}

interface Message {
  readonly text: string;
  readonly source: EvidenceSource;
}

async function lastMessage(subject: Subject): Promise<Message | null> {
  let last: Message | null = null;
  for await (const event of subject.transcript()) {
    if (event.kind !== "message" || event.role !== "assistant" || event.agent !== null) continue;
    if (event.text.trim() !== "") last = { text: event.text, source: { kind: "event", index: event.index } };
  }
  return last;
}

async function outputText({ output }: Subject): Promise<Message | null> {
  if (output.status !== "present" || output.bytes > MOST_BYTES) return null;
  return { text: await readFile(output.path, "utf8"), source: { kind: "output", line: null } };
}

const MOST_BYTES = 64 * 1024 * 1024;
