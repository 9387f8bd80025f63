import { keyHeaders, targetOf, type Upstream } from "../../gateway/upstream.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import { nearest } from "../../lib/nearest.ts";
import { failed, type Finding, ok, skipped, type Subject } from "./finding.ts";
import type { ModelMemory } from "./model-memory.ts";
import { NOT_CONNECTED } from "../../gateway/not-connected.ts";

export interface ModelQuestion {
  readonly subject: Subject;
  readonly upstream: Upstream;
  /** Null: the client's own default, so only the key is tried. */
  readonly model: string | null;
  /** The variable that the key comes from, or the address. */
  readonly variable: string;
}

/**
 * Asks a service whether it takes the key and knows the model: one call that costs nothing. What the service cannot say is
 * no finding: the run will show it.
 */
export async function modelFinding(question: ModelQuestion, memory: ModelMemory): Promise<Finding> {
  const { subject, upstream, model, variable } = question;
  const known = `${upstream.name} knows ${model ?? "its default model"}.`;
  if (await memory.knows(question)) return ok(subject, known);
  const answer = await ask(upstream, model);
  switch (answer.kind) {
    case "known":
      await memory.remember(question);
      return ok(subject, known);
    case "refused":
      return failed(
        subject,
        `${upstream.name} refuses the key in ${variable}: ${answer.message}`,
        `export ${variable} with a key that is valid`,
      );
    case "unknown-model": {
      const near = nearest(model ?? "", answer.models);
      const fix = near === null ? "name another with --model" : `did you mean ${near}?`;
      return failed(subject, `${upstream.name} has no model ${JSON.stringify(model)}.`, fix);
    }
    case "unreachable":
      return failed(
        subject,
        `${upstream.name} cannot be reached at ${upstream.baseUrl} (${answer.code}).`,
        "look at the network, the proxy, and the address",
      );
    case "silent":
      return skipped(
        subject,
        `${upstream.name} does not say whether it knows ${model ?? "its default model"}.`,
      );
  }
}

type Answer =
  | { readonly kind: "known" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unknown-model"; readonly models: readonly string[] }
  | { readonly kind: "unreachable"; readonly code: string }
  /** It answers, but nothing that settles the question. */
  | { readonly kind: "silent" };

async function ask(upstream: Upstream, model: string | null): Promise<Answer> {
  const path = model === null ? "models" : `models/${encodeURIComponent(model)}`;
  const reply = await get(upstream, path);
  if ("code" in reply) return NOT_CONNECTED.has(reply.code) ? { kind: "unreachable", ...reply } : SILENT;
  if (reply.status === 401) return refusal(reply.body);
  if (reply.status === 200) return { kind: "known" };
  if (reply.status !== 404 || model === null) return SILENT;
  // Many servers have no such address: only one that lists its models can say that this is none of them.
  const list = await get(upstream, "models");
  const models = "code" in list ? [] : listAt(list.body, "data").map((one) => textAt(one, "id"));
  return models.length === 0 || models.includes(model) ? SILENT : { kind: "unknown-model", models };
}

const SILENT: Answer = { kind: "silent" };

/** A key may be fine and still not be allowed to read the list of models. */
function refusal(body: unknown): Answer {
  const message = textAt(objectAt(body, "error"), "message") || "401";
  return /\bscopes?\b/i.test(message) ? SILENT : { kind: "refused", message };
}

const PATIENCE_MS = 10_000;

type Reply = { readonly status: number; readonly body: unknown } | { readonly code: string };

async function get(upstream: Upstream, resource: string): Promise<Reply> {
  const [wire = "messages"] = upstream.wires;
  const url = targetOf(upstream, { wire, resource, version: "v1", query: "" });
  try {
    const response = await fetch(url, {
      headers: { "anthropic-version": "2023-06-01", ...keyHeaders(upstream) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    return { code: cause?.code ?? (error as Error).name };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
