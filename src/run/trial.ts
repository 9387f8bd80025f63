import { freemem, loadavg } from "node:os";
import type { JsonObject } from "../domain/json.ts";
import { leftOut } from "../domain/left-out.ts";
import type { TrialLimits } from "../domain/limits.ts";
import type { WantedNetwork } from "../domain/network.ts";
import type { LeftOut, Outcome, Run } from "../domain/run.ts";
import { NOTHING_DONE } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import type { Skill } from "../domain/skill.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import type { Trial } from "../domain/trial.ts";
import { recent } from "../lib/recent.ts";
import { Agent } from "./agent.ts";
import { openClaims } from "./claims.ts";
import { trespassesOf } from "./trespass/trespasses.ts";
import { tracesOf } from "./trespass/traces.ts";
import { conclude } from "./conclude.ts";
import type { Client, Endpoint, Harness, HarnessOptions } from "./harness.ts";
import { missingNotes } from "./missing-commands.ts";
import type { NetworkCell } from "./network/cell.ts";
import { type ChosenReach, chooseReach } from "./network/reach.ts";
import { type ProbeSetup, probeSetup } from "./probe.ts";
import { Recorder } from "./recorder.ts";
import type { Places, Sandbox } from "./sandbox.ts";
import { keepSession, type KeptSession } from "./session.ts";
import type { Traffic } from "./traffic.ts";
import type { Base } from "./workspace/base.ts";
import { captureChanges, skillChanges } from "./workspace/capture.ts";
import type { StagingMethod } from "./workspace/method.ts";
import { readOutput } from "./workspace/output.ts";
import type { SharedLayers } from "./workspace/shared-layers.ts";
import { type Staged, stageTrial } from "./workspace/stage.ts";

/** What all trials of an iteration share. */
export interface TrialParts {
  readonly harness: Harness;
  readonly client: Client;
  readonly sandbox: Sandbox;
  readonly network: WantedNetwork;
  /** Hosts with their ports that agents reach beside their model. */
  readonly allowHosts: readonly string[];
  readonly limits: TrialLimits;
  /** The directory that workspaces lie in. */
  readonly root: string;
  readonly base: Base;
  /** How trigger probes are staged; absent: as every other trial. */
  readonly probe?: ProbeSetup;
  readonly method: StagingMethod;
  readonly layers: SharedLayers;
  /** The host's variables, of which a few are let through. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Answers when there is room for one more agent; staging and capturing need none. */
  readonly slot: () => Promise<Disposable>;
  /** Takes a trial's directories when they are no longer needed. */
  readonly discard?: (path: string) => void;
}

export interface TrialRequest {
  /** Names the workspace: unique among all that are there at the same time, and says nothing about the trial. */
  readonly id: string;
  readonly trial: Trial;
  readonly case: Case;
  /** The skill under test, also in the variants that run without it. */
  readonly skill: Skill | null;
  /** The name to install it under; its own unless this is a trigger probe. */
  readonly skillName: string | null;
  readonly deadlineSeconds: number;
  readonly options: HarnessOptions;
  readonly endpoint: Endpoint | null;
  /** The address of a proxy to hosts that the user allows; absent or null: there are none. */
  readonly proxy?: string | null;
  /** What passed there, asked for once the agent has ended; null: it cannot be seen. */
  readonly traffic: () => Traffic | null;
  /** A network whose only way out is the endpoint; absent or null: there is none. */
  readonly cell?: (() => Promise<NetworkCell>) | null;
  /** `--mcp`: MCP servers by name; a case's own servers replace them. */
  readonly mcpServers: JsonObject | null;
  readonly record: TrialRecord;
  /** Why it is not worth starting the agent; absent or null: it is. */
  readonly refusal?: string | LeftOut | null;
  /** A conversation to go on with, only to be asked about it; absent: a new one. */
  readonly resume?: KeptSession;
  /** Called when the agent gets its slot; until then the trial is only prepared. */
  readonly admitted?: () => void;
  /** Told where the agent will work, right before it starts. */
  readonly placed?: (places: Places) => void;
}

/** Where the trial leaves its traces. */
interface TrialRecord {
  /** Absolute paths; their folders exist. */
  readonly rawStream: string;
  readonly stderr: string;
  readonly outputs: string;
  readonly inputs: string;
  /** A folder for what was there before the run changed or deleted it; absent: it is not kept. */
  readonly before?: string;
  /** A folder for the client's record of its session, made when there is one; absent: it is not kept. */
  readonly session?: string;
  readonly transcript: (event: TranscriptEvent) => void;
  /** Told what text checks are to read, where there is such a text. */
  readonly output: (text: string) => void;
}

/** Stages, runs and captures one trial. Rejects only for our own mistakes: whatever the agent does is in the Run. */
export async function runTrial(request: TrialRequest, parts: TrialParts, signal: AbortSignal): Promise<Run> {
  const startedAt = parts.now();
  const { refusal = null } = request;
  if (refusal !== null) {
    const outcome = typeof refusal === "string" ? leftOut("invalid", refusal) : refusal;
    return emptyRun(request, parts, { startedAt, outcome });
  }
  // Made while the workspace is.
  const choosing = reachFor(request, parts);
  const staged = await stage(request, parts);
  if (staged.kind === "failed") {
    return emptyRun(request, parts, {
      startedAt,
      outcome: leftOut("setup-skipped", staged.reason),
    });
  }
  await using _ = staged;
  const chosen = await choosing;
  if ("refused" in chosen)
    return emptyRun(request, parts, { startedAt, outcome: leftOut("setup-skipped", chosen.refused) });
  const claims = openClaims(parts.harness.quotesModel, parts.sandbox.places(staged.ground));
  const recorder = new Recorder((event) => {
    claims?.hear(event);
    request.record.transcript(event);
  });
  const agent = new Agent(request, parts, { staged, recorder, signal, reach: chosen.reach });
  request.placed?.(agent.places);
  const { said, time, durationMs, commands, teardownProblem, kept } = await agent.work(
    async ({ sessionId }) => ({
      captured: await capture(request, { staged: agent.staged, agent, recorder }),
      session: await keepSession(parts.harness, {
        id: sessionId,
        home: staged.ground.home,
        folder: request.record.session ?? null,
      }),
    }),
  );
  const { captured, session } = kept;
  const missing = await missingNotes(
    { missing: recorder.missing, stderr: request.record.stderr },
    { hostEnv: parts.hostEnv, sandbox: parts.sandbox.name },
  );
  const cut = [...agent.cut, ...recorder.cut, ...captured.cut];
  const traffic = request.traffic();
  const trespasses = await trespassesOf(recorder.trespasses, {
    skill: request.skill,
    sandbox: parts.sandbox,
    stderr: request.record.stderr,
    traces: captured.traces,
    refusedHosts: traffic?.refusedHosts ?? [],
  });
  const denials = said.denials.length > 0 ? said.denials : recorder.denials;
  const concluded = conclude({
    said,
    traffic,
    unfounded: claims?.unfounded(traffic?.said ?? null) ?? null,
    variant: request.trial.variant,
    skill: request.skillName ?? request.skill?.name ?? null,
    stopOnSkill: request.options.stopOnSkill,
    activations: recorder.activations,
    denials,
    durationMs,
  });
  return {
    trialId: request.trial.id,
    outcome: concluded.outcome,
    validity: concluded.validity,
    startedAt: startedAt.toISOString(),
    agentTime: time,
    durationMs: Math.round(durationMs),
    client: { name: parts.client.name, version: said.clientVersion ?? parts.client.version },
    model: said.model,
    sessionId: said.sessionId,
    sessionFile: session.file,
    steps: said.steps,
    usage: concluded.usage,
    toolCalls: recorder.toolCalls,
    toolErrors: recorder.toolErrors,
    denials,
    skillsOffered: concluded.skillsOffered,
    activations: recorder.activations,
    sent: said.sent ?? sentOf(recorder),
    changes: captured.changes,
    skillEdits: captured.skillEdits,
    trespasses,
    output: captured.output,
    ...(commands.length > 0 && { commands }),
    teardownProblem,
    reusedFrom: null,
    notes: [
      agent.staged,
      { notes: [teardownProblem, chosen.note].filter((note) => note !== null) },
      said,
      { notes: recorder.cut.map(({ reason }) => reason) },
      { notes: missing },
      captured,
      session,
      concluded,
    ].flatMap((part) => part.notes),
    ...(cut.length > 0 && { cut }),
    conditions: {
      ...conditionsOf(parts),
      network: chosen.network,
      ...(chosen.network === "hosts" && { hosts: parts.allowHosts }),
    },
    replay: null,
  };
}

function sentOf({ prompts }: Recorder): Run["sent"] {
  return prompts.length === 0 ? null : { messages: prompts, systemPrompt: null };
}

function stage(request: TrialRequest, parts: TrialParts) {
  const { trial, case: one, skill, skillName } = request;
  const probe = probeSetup(one, parts.probe);
  const { skillsFolder } = parts.harness;
  const installed = skill !== null && trial.variant !== "without_skill" && trial.variant !== "inline";
  return stageTrial({
    id: request.id,
    root: parts.root,
    base: probe?.base ?? parts.base,
    method: parts.method,
    layers: parts.layers,
    overlays: one.overlays,
    skill: installed
      ? { skill, name: skillName ?? skill.name, skillsFolder, body: probe?.body ?? "intact" }
      : null,
    rivals: (probe?.rivals ?? []).map((rival) => ({ skill: rival, name: rival.name, skillsFolder })),
    fixtures: one.files,
    readable: parts.client.readable,
    ...(parts.discard === undefined ? {} : { discard: parts.discard }),
  });
}

type Captured = Pick<Run, "changes" | "skillEdits" | "output" | "notes"> &
  Required<Pick<Run, "cut">> & { readonly traces: Run["trespasses"] };

async function capture(
  { case: one, record }: TrialRequest,
  { staged, agent, recorder }: { staged: Staged; agent: Agent; recorder: Recorder },
): Promise<Captured> {
  const { changes, touched, notes, cut } = await captureChanges(staged, {
    outputs: record.outputs,
    inputs: record.inputs,
    before: record.before ?? null,
  });
  const output = await readOutput(one.output, recorder.messages, {
    staged,
    touched,
    seenAs: agent.places.workspace,
  });
  const traces = tracesOf(staged, touched);
  const skillEdits = skillChanges(staged, touched);
  const edited =
    skillEdits.length === 0
      ? []
      : [`the run changed the skill under test: ${skillEdits.slice(0, 5).join(", ")}`];
  const all = [...notes, ...edited];
  if (output.kind !== "text") {
    const { kind: status, reason } = output;
    return {
      changes,
      cut,
      skillEdits,
      traces,
      output: { status, reason },
      notes: [...all, `no output: ${reason}`],
    };
  }
  record.output(output.text);
  return { changes, cut, skillEdits, traces, output: { status: "present" }, notes: all };
}

function conditionsOf({ sandbox, method }: TrialParts): Run["conditions"] {
  return { sandbox: sandbox.name, staging: method, ...machineUse() };
}

const machineUse = recent(
  () => ({ loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100, freeMemoryBytes: freemem() }),
  100,
);

function emptyRun(
  request: TrialRequest,
  parts: TrialParts,
  { startedAt, outcome }: { startedAt: Date; outcome: Outcome },
): Run {
  return {
    ...NOTHING_DONE,
    trialId: request.trial.id,
    outcome,
    validity: { status: "unverified", reason: "nothing was run" },
    startedAt: startedAt.toISOString(),
    client: { name: parts.client.name, version: parts.client.version },
    conditions: conditionsOf(parts),
  };
}

/** Never rejects, so that it can be waited for later. */
async function reachFor(
  request: TrialRequest,
  parts: TrialParts,
): Promise<ChosenReach | { refused: string }> {
  try {
    return await chooseReach({
      wanted: parts.network,
      allowsHosts: (request.proxy ?? null) !== null,
      sandbox: parts.sandbox,
      needsOnlyModel: parts.harness.needsOnlyModel ?? false,
      mcpServers: request.mcpServers,
      ownServers: request.case.mcpServers,
      cell: request.cell ?? null,
    });
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
