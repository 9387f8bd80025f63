import { keyHeaders, targetOf, type Upstream } from "../../gateway/upstream.ts";
import { listAt, objectAt, textAt } from "../../lib/loose.ts";
import { nearest } from "../../lib/nearest.ts";
import { failed, type Finding, noted, ok, skipped, type Subject } from "./finding.ts";
import type { ModelMemory } from "./model-memory.ts";
import { isCloudName, isListed, isWholeList } from "./model-names.ts";
import { NOT_CONNECTED } from "../../gateway/not-connected.ts";

export interface ModelQuestion {
  readonly subject: Subject;
  readonly upstream: Upstream;
  /** The service, for people. */
  readonly service: string;
  /** Null: the client's own default, so only the credential is tried. */
  readonly model: string | null;
  /** What is shown at the door: "the key in X", "your login from Y". */
  readonly credential: string;
  /** What to do where that is refused. */
  readonly renew: string;
}

/**
 * Asks a service whether it takes the key or login and knows the model: one call that costs nothing. A model that it cannot
 * tell about is noted: the run will show it.
 */
export async function modelFinding(
  question: ModelQuestion,
  { memory, signal }: { memory: ModelMemory; signal: AbortSignal },
): Promise<Finding> {
  const { subject, upstream, service, model, credential, renew } = question;
  const known = model === null ? `${service} accepts ${credential}.` : `${service} has ${model}.`;
  if (await memory.knows(question)) return ok(subject, known);
  const answer = await ask(upstream, model, signal);
  switch (answer.kind) {
    case "known":
      await memory.remember(question);
      return ok(subject, known);
    case "refused":
      return failed(subject, `${service} refuses ${credential}: ${answer.message}`, renew);
    case "unknown-model":
      return failed(
        subject,
        `${service} has no model ${JSON.stringify(model)}.`,
        otherModel(question, answer),
      );
    case "unreachable":
      return failed(
        subject,
        `${service} cannot be reached at ${upstream.baseUrl} (${answer.code}).`,
        "check the network, the proxy settings and the address",
      );
    case "no-list":
      return skipped(subject, `${service} at ${upstream.baseUrl} lists no models, so none was checked.`);
    case "silent":
      return model === null
        ? skipped(
            subject,
            `${service} ${answer.said ?? "says nothing"} when asked whether it accepts ${credential}.`,
          )
        : noted(
            subject,
            `The model ${model} was not checked: ${service} ${answer.said ?? "does not list it either way"}.`,
            SPELLING,
          );
  }
}

export const SPELLING = "check the spelling if the run fails";

function otherModel(
  { subject, model }: ModelQuestion,
  { models }: { readonly models: readonly string[] },
): string {
  const near = nearest(model ?? "", models);
  if (near !== null) return `did you mean ${near}?`;
  const some = models.slice(0, 5).join(", ");
  return `choose another with ${MODEL_FLAGS[subject] ?? "--model"}, e.g. ${some}`;
}

const MODEL_FLAGS: Partial<Record<Subject, string>> = { judge: "--grading-model" };

type Answer =
  | { readonly kind: "known" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unknown-model"; readonly models: readonly string[] }
  | { readonly kind: "unreachable"; readonly code: string }
  /** It answers, but nothing that settles the question; `said` is what it did instead, null: nothing of note. */
  | { readonly kind: "silent"; readonly said: string | null }
  /** A local or scripted server that keeps no list. */
  | { readonly kind: "no-list" };

async function ask(upstream: Upstream, model: string | null, signal: AbortSignal): Promise<Answer> {
  const path = model === null ? "models" : `models/${encodeURIComponent(model)}`;
  const reply = await get(upstream, { resource: path }, signal);
  if ("code" in reply)
    return NOT_CONNECTED.has(reply.code)
      ? { kind: "unreachable", ...reply }
      : { kind: "silent", said: `gave no answer (${reply.code})` };
  if (reply.status === 401) return refusal(reply.body);
  if (reply.status === 200) return { kind: "known" };
  if (reply.status === 403 || reply.status === 429 || reply.status >= 500)
    return { kind: "silent", said: `answered with ${reply.status}` };
  if (reply.status !== 404 || model === null || isCloudName(model)) return SILENT;
  // Many servers have no such address: only one that lists its models can say that this is none of them.
  const list = await get(upstream, { resource: "models", query: "limit=1000" }, signal);
  if ("code" in list || list.status !== 200 || objectAt(list.body)["has_more"] === true) return SILENT;
  const models = listAt(list.body, "data").map((one) => textAt(one, "id"));
  if (models.length === 0) return { kind: "no-list" };
  if (!isWholeList(models)) return SILENT;
  return isListed(model, models) ? { kind: "known" } : { kind: "unknown-model", models };
}

const SILENT: Answer = { kind: "silent", said: null };

/** A key or login may be fine and still not be allowed to read the list of models. */
function refusal(body: unknown): Answer {
  const message = textAt(objectAt(body, "error"), "message") || "401";
  return /\bscopes?\b|not supported/i.test(message) ? SILENT : { kind: "refused", message };
}

const PATIENCE_MS = 10_000;

type Reply = { readonly status: number; readonly body: unknown } | { readonly code: string };

async function get(
  upstream: Upstream,
  { resource, query = "" }: { readonly resource: string; readonly query?: string },
  signal: AbortSignal,
): Promise<Reply> {
  const [wire = "messages"] = upstream.wires;
  const url = targetOf(upstream, { wire, resource, version: "v1", query });
  try {
    const response = await fetch(url, {
      headers: { "anthropic-version": "2023-06-01", ...keyHeaders(upstream) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch (error) {
    signal.throwIfAborted();
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
