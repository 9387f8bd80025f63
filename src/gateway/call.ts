import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../domain/json.ts";
import type { WireName } from "../wires/index.ts";

/** One request of a client to a model service, read but not yet sent. */
export interface ModelCall {
  /** As it was opened. */
  readonly trial: string;
  /** What the client thinks the service's address and key are. */
  readonly endpoint: { readonly baseUrl: string; readonly token: string };
  /** Position among the trial's calls, from 0. */
  readonly ordinal: number;
  readonly wire: WireName;
  /** `models` is a question about models, with no body; only `answer` makes one speak. */
  readonly operation: "answer" | "count" | "models";
  readonly method: string;
  /** Where the service offers it: `messages`, `models/m:generateContent`; behind the version. */
  readonly resource: string;
  /** `v1`, or what the client wrote instead. */
  readonly version: string;
  /** With the question mark, without keys; empty when there is none. */
  readonly query: string;
  /** Without keys and without what concerns only the connection. */
  readonly headers: IncomingHttpHeaders;
  /** Empty where the path has none and the body names none. */
  readonly model: string;
  readonly stream: boolean;
  /** The most that the model may write, where the client says so. */
  readonly maxOutputTokens: number | null;
  /** The body as sent, packed or not. */
  readonly packed: Buffer;
  /** The same unpacked. */
  readonly bytes: Buffer;
  /** The same parsed, anew each time: kept, it would weigh on memory for as long as the answer streams. */
  json(): JsonObject;
}

/** Where recording and replaying sit: beside one trial's traffic. */
export interface Tape {
  /**
   * Asked before anything is reserved or sent; an answer goes to the client instead of the service's. Null: the service
   * is to answer. Should it reject, the client is told and nothing is sent. `signal` fires when the client leaves.
   */
  answer?(call: ModelCall, signal?: AbortSignal): Promise<TapeReply | null>;
  /** The service is being asked; what comes back passes here on its way. Refused and retried attempts are not shown. */
  observe?(call: ModelCall): Observer;
}

export interface TapeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | AsyncIterable<Buffer>;
}

/** Sees one reply pass. A throw is our mistake and cuts the exchange. */
export interface Observer {
  head(status: number, headers: IncomingHttpHeaders): void;
  /** Unpacked, in the pieces and the order in which the client gets them. */
  chunk(bytes: Buffer): void;
  /** Called once, also when nothing came. Only `complete` is a whole reply. */
  end(how: ExchangeEnd): void;
}

export type ExchangeEnd =
  | "complete"
  /** The service broke off or fell silent. */
  | "cut"
  | "client-left"
  /** The service was never reached, or refused for good. */
  | "failed"
  /** We did not send it. */
  | "refused";
