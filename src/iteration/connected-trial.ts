import type { Run } from "../domain/run.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { runTrial, type TrialParts, type TrialRequest } from "../run/trial.ts";
import { maskFile, maskFolder } from "./mask-file.ts";
import type { Connection } from "./work.ts";

/** A trial without what its way to the model service adds. */
export type UnconnectedTrial = Omit<TrialRequest, "endpoint" | "traffic" | "refusal" | "placed">;

interface Way {
  readonly parts: TrialParts;
  /** Null: the client finds its own way, and what passes is unknown. */
  readonly connection: Connection | null;
  readonly mask: SecretMask;
}

/**
 * Runs a trial over its connection; a replay that missed is no run. Whatever goes wrong, no secret stays in what the agent
 * wrote. `again`: another attempt is worth making, because it will be recorded.
 */
export async function runConnected(
  trial: UnconnectedTrial,
  { parts, connection, mask }: Way,
  signal: AbortSignal,
): Promise<{ readonly run: Run; readonly again: boolean }> {
  const request: TrialRequest = {
    ...trial,
    endpoint: connection?.endpoint ?? null,
    traffic: () => connection?.traffic() ?? null,
    refusal: connection?.tape?.refusal ?? null,
    placed: (places) => connection?.tape?.placed({ ...places, skill: trial.skillName }),
  };
  const run = await runTrial(request, parts, signal).finally(() => maskTraces(request, parts, mask));
  return await withTape(run, connection);
}

async function maskTraces(
  { record }: TrialRequest,
  { harness }: TrialParts,
  mask: SecretMask,
): Promise<void> {
  await maskFile(record.rawStream, mask);
  await maskFile(record.stderr, mask);
  for (const folder of [record.outputs, record.inputs]) await maskFolder(folder, mask);
  if (harness.sessionFile !== undefined && record.session !== undefined)
    await maskFolder(record.session, mask);
}

async function withTape(run: Run, connection: Connection | null): Promise<{ run: Run; again: boolean }> {
  if (connection?.tape === undefined) return { run, again: false };
  const { outcome, replay, notes, again } = await connection.tape.finish(run.outcome);
  return { run: { ...run, outcome, replay, notes: [...run.notes, ...notes] }, again };
}
