import type { Run } from "../domain/run.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { runTrial, type TrialParts, type TrialRequest } from "../run/trial.ts";
import { maskFile, maskFolder } from "./mask-file.ts";
import { NOTHING_WITHHELD, type Withheld, withoutWithheld } from "./withheld.ts";
import type { Connection } from "./work.ts";

/** A trial without what its way to the model service adds. */
export type UnconnectedTrial = Omit<TrialRequest, "endpoint" | "proxy" | "traffic" | "cell" | "placed">;

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
    proxy: connection?.proxy ?? null,
    traffic: () => connection?.traffic() ?? null,
    cell: connection?.cell ?? null,
    refusal: trial.refusal ?? connection?.tape?.refusal ?? connection?.refused ?? null,
    placed: (places) => connection?.tape?.placed({ ...places, skill: trial.skillName }),
  };
  let withheld = NOTHING_WITHHELD;
  const run = await runTrial(request, parts, signal).finally(async () => {
    withheld = await maskTraces(request, parts, mask);
  });
  connection?.ended?.(connection.traffic().usage === null ? run.usage : null);
  return await withTape(withoutWithheld(run, withheld, mask), connection);
}

async function maskTraces(
  { record }: TrialRequest,
  { harness }: TrialParts,
  mask: SecretMask,
): Promise<Withheld> {
  await maskFile(record.rawStream, mask);
  await maskFile(record.stderr, mask);
  const beside = await maskFolder(record.inputs, mask);
  const before = record.before === undefined ? [] : await maskFolder(record.before, mask);
  const session =
    harness.sessionFile === undefined || record.session === undefined
      ? []
      : await maskFolder(record.session, mask);
  return {
    outputs: await maskFolder(record.outputs, mask),
    others: [
      ...beside.map((one) => ({ ...one, path: `the input ${one.path}` })),
      ...before.map((one) => ({ ...one, path: `${one.path}, as it was before the run,` })),
      ...session.map((one) => ({ ...one, path: `${one.path} of the session` })),
    ],
  };
}

async function withTape(run: Run, connection: Connection | null): Promise<{ run: Run; again: boolean }> {
  if (connection?.tape === undefined) return { run, again: false };
  const { outcome, replay, notes, again } = await connection.tape.finish(run.outcome);
  return { run: { ...run, outcome, replay, notes: [...run.notes, ...notes] }, again };
}
