import type { EventBody } from "../../domain/event.ts";
import {
  flawIn,
  number,
  object,
  oneOf,
  orAbsent,
  orNone,
  orNull,
  text,
  type Demand,
} from "../../lib/flaw.ts";
import { objectAt, textAt } from "../../lib/loose.ts";
import { pathProblem } from "../../lib/relative-path.ts";

/** Where an event lacks what everybody relies on who reads one of its kind; null: nowhere. */
export function eventFlaw(event: unknown): string | null {
  const kind = textAt(event, "kind");
  const wanted = Object.hasOwn(EVENTS, kind) ? EVENTS[kind as EventBody["kind"]] : UNKNOWN;
  return flawIn(objectAt(event), AT) ?? flawIn(objectAt(event), wanted);
}

const AT: Demand = { at: text };
const UNKNOWN: Demand = { kind: () => false };

const TRIAL: Demand = { id: text, key: text, caseId: text, variant: text, repetition: number };

const USAGE: Demand = {
  inputTokens: orNull(number),
  outputTokens: orNull(number),
  cacheReadTokens: orNone(number),
  cacheWriteTokens: orNone(number),
  costUsd: orNull(number),
};

const RUN: Demand = {
  trialId: text,
  outcome: {
    status: text,
    message: orNone(text),
    afterMs: orNone(number),
    excess: orAbsent({ limit: text, most: number }),
  },
  validity: { status: oneOf("verified", "unverified", "invalid"), reason: orNone(text) },
  startedAt: text,
  agentTime: orNone({ startedAt: text, endedAt: text }),
  durationMs: orNone(number),
  client: { name: text, version: orNone(text) },
  model: orNone(text),
  sessionId: orNone(text),
  sessionFile: orNone(text),
  steps: number,
  usage: USAGE,
  toolCalls: object,
  toolErrors: number,
  denials: [{ tool: text }],
  skillsOffered: orNone([text]),
  activations: [{ skill: text, by: text }],
  sent: orNone({ messages: [text] }),
  changes: [{ path: isInside, change: text, bytes: orNone(number) }],
  skillEdits: orNone([text]),
  trespasses: orAbsent([{ kind: text, what: text, became: text }]),
  cut: orAbsent([{ of: text, reason: text }]),
  output: orNone({ status: oneOf("present", "missing", "unknown") }),
  commands: orAbsent([{ command: text, end: { status: text, code: orNone(number) }, output: text }]),
  teardownProblem: orNone(text),
  reusedFrom: orNone(text),
  notes: [text],
  conditions: { sandbox: text, network: orNone(text), hosts: orAbsent([text]) },
  replay: orNone({ match: text, drifts: number }),
};

const GRADING: Demand = {
  trialId: text,
  verdicts: [
    {
      trialId: text,
      checkId: text,
      layer: text,
      text,
      status: oneOf("passed", "failed", "unscored"),
      evidence: [{ kind: text }],
      reason: text,
    },
  ],
  claims: [{ claim: text }],
  evalFeedback: orNone(object),
  judgeModel: orNone(text),
  startedAt: text,
  durationMs: number,
  usage: USAGE,
  extraction: orNone({ sections: object, problems: [text] }),
  addressed: orAbsent([{ place: text, text }]),
};

const CASE: Demand = {
  id: text,
  at: { file: text, line: number },
  kind: text,
  prompt: { kind: text },
  files: [object],
  output: { kind: text },
  sections: [object],
  checks: [{ id: text, kind: text, layer: text, text }],
  settings: object,
};

const ITERATION: Demand = {
  number,
  createdAt: text,
  suite: text,
  skill: orNone({ path: text, sha256: text }),
  evalFiles: [{ path: text }],
  harness: text,
  client: orNull({ name: text }),
  model: orNone(text),
  versions: { assay: text },
  options: object,
};

const EVENTS: Readonly<Record<EventBody["kind"], { readonly [key: string]: Demand }>> = {
  "iteration-started": { iteration: ITERATION, cases: [CASE], trials: [TRIAL], basis: orNone(object) },
  "trial-started": { trial: TRIAL, attempt: number },
  "agent-started": { trialId: text },
  "trial-progress": { trialId: text },
  "trial-waiting": { trial: TRIAL, attempt: number, waitMs: number, reason: text },
  "trial-finished": { trial: TRIAL, attempt: number, run: RUN, folder: isInside },
  "verdicts-recorded": { trial: TRIAL, grading: GRADING },
  "services-limited": { limits: object },
  "money-spent": { costUsd: number, maxCostUsd: number },
  "tokens-used": { tokens: number, maxTokens: number },
  "pace-changed": { state: oneOf("running", "paused", "stopping"), concurrency: number },
  note: { code: text, message: text },
  "iteration-finished": { ended: oneOf("complete", "interrupted") },
};

/** Of a folder: what is read must not lie elsewhere. */
function isInside(path: unknown): boolean {
  return typeof path === "string" && pathProblem(path) === null;
}
