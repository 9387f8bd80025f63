import { createHash } from "node:crypto";
import { leftOut } from "../../../domain/left-out.ts";
import { type Outcome, UNKNOWN_USAGE } from "../../../domain/run.ts";
import { isTimeout } from "../../../lib/deadline-signal.ts";
import type { ModelReply, Provider } from "../../../providers/provider.ts";
import type { Endpoint, Harness, HarnessContext, HarnessRequest, HarnessRun } from "../../harness.ts";
import { saidNothing } from "../../said-nothing.ts";
import { nothingToSay } from "../../turns.ts";
import { type Listed, question, readPick } from "./question.ts";

export interface ClassifierOptions {
  /**
   * The service that has this model, or a default one for null, at the gateway's address where there is one. Throws a
   * UserError when it cannot be reached as things are, for lack of a key.
   */
  readonly connect: (model: string | null, endpoint: Endpoint | null) => Service;
}

interface Service {
  readonly provider: Provider;
  readonly model: string;
}

/** No agent: a model sees the listing and the query and picks. Cheap, and only as good as its guess about agents. */
export function classifier(options: ClassifierOptions): Harness {
  return {
    name: "classifier",
    skillsFolder: ".claude/skills",
    onlyPrograms: false,
    find: async () => {
      options.connect(null, null);
      return { name: "classifier", version: null, readable: [] };
    },
    run: (request, context) => classify(options, request, context),
  };
}

async function classify(
  { connect }: ClassifierOptions,
  { prompt, skill, rivals = [], options }: HarnessRequest,
  context: HarnessContext,
): Promise<HarnessRun> {
  const query = prompt.kind === "turns" ? prompt.turns.join("\n\n") : prompt.args;
  if (query.trim() === "") return saidNothing(nothingToSay(1));
  const own = skill === null ? [] : [{ name: skill.name, description: skill.skill.description }];
  const listed = [...own, ...rivals].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  context.emit({ kind: "message", role: "user", text: query });
  const { provider, model } = connect(options.model, context.endpoint);
  const asked = question({ listed, query }, { model, nonce: nonceOf(listed, query) });
  const reply = await ask(provider, asked, context.signal);
  const head = {
    sessionId: null,
    steps: 1,
    denials: [],
    skillsOffered: listed.map(({ name }) => name),
    clientVersion: null,
    notes: [],
  };
  if (reply.status !== "answered")
    return { ...head, model: null, outcome: reply.outcome, usage: reply.usage };
  return {
    ...head,
    model: reply.model,
    usage: reply.usage,
    outcome: hear(reply, listed, context),
  };
}

/** No text can hold its own digest, and the same question is the same in a replay. Names differ from trial to trial. */
function nonceOf(listed: readonly Listed[], query: string): string {
  const words = JSON.stringify([listed.map(({ description }) => description), query]);
  return createHash("sha256").update(words).digest("hex").slice(0, 16);
}

/** What could not be read is left out and tried again; it is never "did not fire". */
function hear(
  { parts, stop }: Extract<ModelReply, { status: "answered" }>,
  listed: readonly Listed[],
  { emit }: HarnessContext,
): Outcome {
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  emit({ kind: "message", role: "assistant", text });
  const pick = readPick(text, listed);
  if (pick === undefined) {
    return leftOut("api", `the model's choice cannot be read (it ended with ${stop}): ${text.slice(0, 200)}`);
  }
  if (pick !== null) emit({ kind: "skill-activated", skill: pick, by: "client" });
  return { status: "completed" };
}

async function ask(
  provider: Provider,
  request: Parameters<Provider["complete"]>[0],
  signal: AbortSignal,
): Promise<
  | Extract<ModelReply, { status: "answered" }>
  | { readonly status: "none"; readonly outcome: Outcome; readonly usage: HarnessRun["usage"] }
> {
  const startedMs = performance.now();
  try {
    const reply = await provider.complete(request, signal);
    if (reply.status === "answered") return reply;
    const { reason, message, httpStatus, usage } = reply;
    return { status: "none", outcome: leftOut(reason, message, httpStatus), usage };
  } catch (error) {
    if (!signal.aborted) throw error;
    const outcome: Outcome = isTimeout(signal.reason)
      ? { status: "timed-out", afterMs: performance.now() - startedMs }
      : leftOut("interrupted", "the run was interrupted");
    return { status: "none", outcome, usage: UNKNOWN_USAGE };
  }
}
