import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import type { CassetteHeader } from "../../gateway/cassette/cassette.ts";
import { runConnected } from "../../iteration/connected-trial.ts";
import { fileHash } from "../../lib/tree-hash.ts";
import type { HarnessOptions } from "../../run/harness.ts";
import type { KeptSession } from "../../run/session.ts";
import type { TrialParts } from "../../run/trial.ts";
import type { AgentAsk } from "./ask-agent.ts";
import { agentQuestion } from "./question.ts";

interface Resumption {
  readonly session: KeptSession;
  /** For what is left on the way. */
  readonly folder: string;
  /** The workspace as the run left it. */
  readonly left: string;
  readonly parts: TrialParts;
}

/** Sends the one question. `again`: another attempt is worth making, because it will be recorded. */
export async function resumeSession(
  ask: AgentAsk,
  { session, folder, left, parts }: Resumption,
  signal: AbortSignal,
): Promise<{ run: Run; said: string; again: boolean }> {
  const { found, one, failed, request } = ask;
  const { mask, options } = request;
  const model = found.state.iteration?.model ?? null;
  const question = agentQuestion(failed);
  const inputs = { session: await fileHash(session.file), question: digest(question) };
  // The skill is no more than a file here: whether it is offered or not says nothing about an explanation.
  const trial: Trial = { ...found.finished.trial, variant: "without_skill" };
  const header = () => headerOf(ask, parts, inputs);
  await using connection =
    (await request.connect(trial, {
      harness: parts.harness.name,
      model,
      hosts: parts.allowHosts,
      header,
    })) ?? null;
  const traces = join(folder, "traces");
  await mkdir(traces, { recursive: true });
  let said = "";
  const ended = await runConnected(
    {
      id: digest(JSON.stringify([inputs, trial.id])),
      trial,
      case: { ...one, ...ONLY_A_QUESTION, prompt: { kind: "turns", turns: [question] }, overlays: [left] },
      skill: null,
      skillName: null,
      deadlineSeconds: options.timeoutSeconds ?? DEADLINE_SECONDS,
      options: { ...OPTIONS, model },
      mcpServers: null,
      resume: session,
      record: {
        rawStream: join(traces, "output.jsonl"),
        stderr: join(traces, "stderr.txt"),
        outputs: join(traces, "outputs"),
        inputs: join(traces, "inputs"),
        transcript: () => {},
        output: (text) => {
          said = text;
        },
      },
    },
    { parts, connection, mask },
    signal,
  );
  return { ...ended, said };
}

/** A recording of it depends on the session and the question, and is told apart from that of the run itself. */
function headerOf(
  { found }: AgentAsk,
  { harness, client }: TrialParts,
  inputs: CassetteHeader["inputs"],
): CassetteHeader {
  const { iteration } = found.state;
  const { caseId, variant, repetition } = found.finished.trial;
  return {
    suite: iteration?.suite ?? "",
    caseId,
    variant: `${variant}+explain`,
    harness: harness.name,
    model: iteration?.model ?? null,
    repetition,
    client: { name: client.name, version: client.version },
    inputs,
  };
}

const DEADLINE_SECONDS = 300;

const ONLY_A_QUESTION = {
  kind: "task",
  files: [],
  setup: null,
  teardown: null,
  output: { kind: "messages" },
  mcpServers: null,
} as const satisfies Partial<Case>;

const OPTIONS: HarnessOptions = {
  model: null,
  maxTurns: null,
  permissionMode: null,
  allowedTools: null,
  extraArgs: [],
  syncTasks: true,
  allowHangHeuristic: false,
  stopOnSkill: null,
};

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
