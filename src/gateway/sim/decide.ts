import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../../domain/json.ts";
import { type WireName, WIRES } from "../../wires/index.ts";
import { objectAt } from "../../wires/loose.ts";
import { wireCall } from "../../wires/wire-call.ts";
import { compose } from "./compose.ts";
import { deliver, sendJson } from "./deliver.ts";
import type { Chooser } from "./match.ts";
import type { RequestBody } from "../request-body.ts";
import type { SeenRequest } from "./request-log.ts";
import { readScene, type Scene } from "./scene.ts";
import type { SimReply } from "./script.ts";
import { Unanswerable } from "./unanswerable.ts";

export interface Decider {
  readonly chooser: Chooser;
  readonly now: () => Date;
}

/** What the server does with one request. */
export interface SimPlan {
  readonly seen: SeenRequest | null;
  readonly rule: string | null;
  readonly unmatched: string | null;
  readonly send: (to: { response: ServerResponse; signal: AbortSignal }) => Promise<void>;
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly body: RequestBody;
  /** Different for each request of the server. */
  readonly serial: number;
}

export function decide({ request, body, serial }: Incoming, decider: Decider): SimPlan {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const route = wireCall(path);
  if (route === null || request.method !== "POST") return plainPlan(request.method ?? "", path);
  const { http, sim } = WIRES[route.wire];
  if (!body.ok) return jsonPlan(body.status, http.errorBody(body.status, body.message));
  const ask = sim.read(objectAt(body.json), { route, headers: request.headers, bytes: body.bytes.length });
  const scene = readScene(ask, route.wire);
  if (route.operation === "count")
    return jsonPlan(200, http.countBody(Math.ceil(ask.bytes / 4)), seenRequest(scene));
  return answerPlan({ scene, path, serial }, decider);
}

function answerPlan(
  { scene, path, serial }: { scene: Scene; path: string; serial: number },
  { chooser, now }: Decider,
): SimPlan {
  const { wire } = scene;
  const seen = seenRequest(scene);
  const choice = chooser.choose(scene, { path });
  if (choice === null) return unmatchedPlan(wire, seen, `no rule in the script answers ${describe(scene)}`);
  try {
    const answer = compose(choice.reply ?? EMPTY, scene, { serial, now: now() });
    return {
      seen,
      rule: choice.rule,
      unmatched: null,
      send: ({ response, signal }) =>
        deliver(answer, { fault: choice.fault, ask: scene.ask }, { response, signal, wire: WIRES[wire] }),
    };
  } catch (error) {
    if (!(error instanceof Unanswerable)) throw error;
    return unmatchedPlan(
      wire,
      seen,
      `${choice.rule} cannot answer: ${error.message} (asked: ${describe(scene)})`,
    );
  }
}

/** What a fault without a reply interrupts. */
const EMPTY: SimReply = {
  parts: [{ kind: "text", text: "This answer does not matter." }],
  usage: null,
  stop: null,
};

function unmatchedPlan(wire: WireName, seen: SeenRequest, message: string): SimPlan {
  const told = `assay sim: ${message}`;
  return { ...jsonPlan(400, WIRES[wire].http.errorBody(400, told), seen, NO_RETRY), unmatched: told };
}

const NO_RETRY = { "x-should-retry": "false" };

/** Requests that are not for a model. */
function plainPlan(method: string, path: string): SimPlan {
  if (method === "HEAD") return jsonPlan(200, "");
  if (method === "GET" && path.endsWith("/models"))
    return jsonPlan(200, { object: "list", data: [], models: [], has_more: false });
  if (method === "GET" && path === "/") return jsonPlan(200, "assay sim: a scripted model\n");
  const message = `assay sim: nothing answers ${method} ${path}`;
  return jsonPlan(404, WIRES.responses.http.errorBody(404, message));
}

function jsonPlan(
  status: number,
  body: Json,
  seen: SeenRequest | null = null,
  headers: Readonly<Record<string, string>> = {},
): SimPlan {
  return {
    seen,
    rule: null,
    unmatched: null,
    send: ({ response }) => {
      sendJson(response, status, { body, headers });
      return Promise.resolve();
    },
  };
}

function seenRequest(scene: Scene): SeenRequest {
  const { ask, wire, turn, step, side, skills } = scene;
  const { model, stream, conversation } = ask;
  const tools = ask.tools.map((tool) => tool.name);
  return {
    wire,
    model,
    stream,
    conversation,
    turn,
    step,
    userText: scene.userText.slice(0, 2000),
    skills,
    tools,
    side,
  };
}

function describe(scene: Scene): string {
  const after = scene.results.map((result) => result.tool ?? "an unknown tool");
  return [
    `${scene.side ? "the side request" : "the request"} on ${scene.wire}`,
    `model ${scene.ask.model}`,
    `turn ${scene.turn}`,
    `step ${scene.step}`,
    ...(after.length > 0 ? [`after ${after.join(", ")}`] : []),
    `user text ${JSON.stringify(scene.userText.slice(0, 200))}`,
  ].join(", ");
}
