import type { Json } from "../../domain/json.ts";
import { WIRES } from "../../wires/index.ts";
import type { ModelCall, TapeReply } from "../call.ts";

/** Counts and lists, which clients ask for beside the conversation; nothing in a run depends on them. */
export function sideAnswer({ wire, operation, resource, bytes }: ModelCall): TapeReply {
  const { http } = WIRES[wire];
  if (operation === "count") return json(http.countBody(Math.ceil(bytes.length / 4)));
  const name = /^models\/(.+)$/.exec(resource)?.[1];
  if (name !== undefined) return json({ id: name, name: `models/${name}`, object: "model", type: "model" });
  return json(http.noModels);
}

function json(body: Json): TapeReply {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status: 200, headers: { "content-type": "application/json" }, body: bytes };
}
