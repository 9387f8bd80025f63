import type { Json } from "../../../domain/json.ts";
import type { Evidence } from "../../../domain/verdict.ts";
import { cut } from "../../decision.ts";
import type { Subject } from "../../subject.ts";

/** One tool call of the run, by the main agent or by one of its helpers; a denied one was still called. */
export interface Call {
  readonly index: number;
  readonly tool: string;
  readonly input: Json;
  readonly denied: boolean;
}

export async function readCalls(subject: Subject): Promise<readonly Call[]> {
  const calls: { index: number; tool: string; input: Json; denied: boolean }[] = [];
  const byId = new Map<string, { denied: boolean }>();
  for await (const event of subject.transcript()) {
    if (event.kind === "tool-call") {
      const call = { index: event.index, tool: event.tool, input: event.input, denied: false };
      calls.push(call);
      byId.set(event.callId, call);
    } else if (event.kind === "tool-result" && event.denied) {
      const call = byId.get(event.callId);
      if (call !== undefined) call.denied = true;
    }
  }
  return calls;
}

/** The texts that a pattern for the arguments is tried on: the input as JSON, and each text in it as it is. */
export function argumentTexts(input: Json): readonly string[] {
  const texts = [JSON.stringify(input)];
  const open: Json[] = [input];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null)
      for (const value of Object.values(next as object)) open.push(value as Json);
  }
  return texts;
}

export function quoteCall({ index, tool, input }: Call): Evidence {
  return {
    kind: "quote",
    text: cut(`${tool} ${JSON.stringify(input)}`),
    source: { kind: "event", index },
  };
}
