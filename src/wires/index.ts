import { chatCassette } from "./chat/cassette.ts";
import { chatClient } from "./chat/client.ts";
import { chatHttp } from "./chat/http.ts";
import { chatSim } from "./chat/sim.ts";
import { geminiCassette } from "./gemini/cassette.ts";
import { geminiHttp } from "./gemini/http.ts";
import { geminiSim } from "./gemini/sim.ts";
import { messagesCassette } from "./messages/cassette.ts";
import { messagesClient } from "./messages/client.ts";
import { messagesHttp } from "./messages/http.ts";
import { messagesSim } from "./messages/sim.ts";
import { responsesCassette } from "./responses/cassette.ts";
import { responsesClient } from "./responses/client.ts";
import { responsesHttp } from "./responses/http.ts";
import { responsesSim } from "./responses/sim.ts";
import type { Wire } from "./wire.ts";

/** Every dialect there is. A new one is a folder and a row here. */
export const WIRES = {
  messages: {
    http: messagesHttp,
    client: messagesClient,
    cassette: messagesCassette,
    sim: messagesSim,
  },
  responses: {
    http: responsesHttp,
    client: responsesClient,
    cassette: responsesCassette,
    sim: responsesSim,
  },
  chat: {
    http: chatHttp,
    client: chatClient,
    cassette: chatCassette,
    sim: chatSim,
  },
  gemini: {
    http: geminiHttp,
    client: null,
    cassette: geminiCassette,
    sim: geminiSim,
  },
} as const satisfies Readonly<Record<string, Wire>>;

export type WireName = keyof typeof WIRES;

export const WIRE_NAMES = Object.keys(WIRES) as readonly WireName[];
