import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import { fileHash } from "../../lib/tree-hash.ts";
import type { HarnessOptions } from "../../run/harness.ts";
import type { KeptSession } from "../../run/session.ts";
import { runTrial, type TrialParts } from "../../run/trial.ts";
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
  { found, one, failed, models, raw }: AgentAsk,
  { session, folder, left, parts }: Resumption,
  signal: AbortSignal,
): Promise<{ run: Run; said: string; again: boolean }> {
  const { iteration } = found.state;
  const model = iteration?.model ?? null;
  const question = agentQuestion(failed);
  const sessionDigest = await fileHash(session.file);
  // The skill is no more than a file here: whether it is offered or not says nothing about an explanation.
  const trial: Trial = { ...found.finished.trial, variant: "without_skill" };
  await using connection =
    (await models.services.connect(trial, {
      model,
      header: () => ({
        suite: iteration?.suite ?? "",
        caseId: trial.caseId,
        variant: `${found.finished.trial.variant}+explain`,
        harness: parts.harness.name,
        model,
        repetition: trial.repetition,
        client: { name: parts.client.name, version: parts.client.version },
        inputs: { session: sessionDigest, question: digest(question) },
      }),
    })) ?? null;
  let said = "";
  const traces = join(folder, "traces");
  await mkdir(traces, { recursive: true });
  const run = await runTrial(
    {
      trial,
      case: { ...one, ...ONLY_A_QUESTION, prompt: { kind: "turns", turns: [question] }, overlays: [left] },
      skill: null,
      skillName: null,
      deadlineSeconds: typeof raw["timeout"] === "number" ? raw["timeout"] : DEADLINE_SECONDS,
      options: { ...OPTIONS, model },
      endpoint: connection?.endpoint ?? null,
      traffic: () => connection?.traffic() ?? null,
      mcpServers: null,
      refusal: connection?.tape?.refusal ?? null,
      placed: (places) => connection?.tape?.placed({ ...places, skill: null }),
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
    parts,
    signal,
  );
  const taped = await connection?.tape?.finish(run.outcome);
  return {
    run: taped === undefined ? run : { ...run, outcome: taped.outcome, replay: taped.replay },
    said,
    again: taped?.again ?? false,
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
