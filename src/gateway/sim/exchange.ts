import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type SimPlan, decide, type Decider } from "./decide.ts";
import { readBody, type RequestBody } from "../request-body.ts";
import {
  digest,
  type GrowingRequest,
  pathWithoutSecrets,
  type RequestLog,
  withoutSecrets,
} from "./request-log.ts";

export interface ExchangeParts extends Decider {
  readonly log: RequestLog;
  readonly closing: AbortSignal;
}

/** Reads, answers and logs HTTP requests. Never rejects. */
export function exchange(
  parts: ExchangeParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let received = 0;
  return async (request, response) => {
    const left = new AbortController();
    const leave = () => left.abort();
    response.once("close", leave);
    const wroteBefore = response.socket?.bytesWritten ?? 0;
    let body: RequestBody;
    try {
      body = await readBody(request);
    } catch {
      return;
    }
    const index = received++;
    const plan = decide({ request, body, serial: index }, parts);
    const draft = newDraft({ request, body, plan, index, time: parts.now() });
    parts.log.add(draft);
    const { socket } = response;
    parts.closing.addEventListener("abort", leave);
    if (parts.closing.aborted) leave();
    try {
      await plan.send({ response, signal: left.signal });
      if (!response.destroyed && !response.writableFinished) await once(response, "close");
      draft.end = response.writableFinished ? "complete" : "cut";
    } catch {
      draft.end = parts.closing.aborted ? "cut" : "client-left";
      response.destroy();
    } finally {
      parts.closing.removeEventListener("abort", leave);
    }
    draft.status = response.headersSent ? response.statusCode : null;
    draft.bytesOut = Math.max(0, (socket?.bytesWritten ?? 0) - wroteBefore);
    parts.log.finish(draft);
  };
}

function newDraft(from: {
  request: IncomingMessage;
  body: RequestBody;
  plan: SimPlan;
  index: number;
  time: Date;
}): GrowingRequest {
  const { request, body, plan } = from;
  return {
    index: from.index,
    time: from.time.toISOString(),
    method: request.method ?? "",
    path: pathWithoutSecrets(request.url ?? ""),
    headers: withoutSecrets(request.headers),
    bytesIn: body.bytes.length,
    sha256: digest(body.bytes),
    body: body.ok ? body.json : null,
    seen: plan.seen,
    rule: plan.rule,
    unmatched: plan.unmatched,
    status: null,
    bytesOut: 0,
    end: "open",
  };
}
