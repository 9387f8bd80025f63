import { type LeftOut, totalTokens, type Usage } from "../domain/run.ts";

/** What passed between one trial and the model service. */
export interface Traffic {
  /** The skills that the model was really offered; null when no request was seen. */
  readonly skillsOffered: readonly string[] | null;
  /** Why the way was closed to the trial, where it was. */
  readonly stopped: LeftOut | null;
  /** What was metered; null when no request was seen. */
  readonly usage: Usage | null;
  /** Every text that models sent, ids and names too; null: not known. */
  readonly said: readonly string[] | null;
  /** How the service failed the last request of the trial, after which nothing was answered; absent or null: it did not. */
  readonly unanswered?: LeftOut | null;
  /** Hosts that the trial tried to connect to and is not allowed; absent: none are known. */
  readonly refusedHosts?: readonly string[];
}

/** Metered tokens are exact; where the client counts otherwise, both are told. A price only one of them knows is kept. */
export function meteredUsage(
  said: Usage,
  traffic: Traffic | null,
): { readonly usage: Usage; readonly notes: readonly string[] } {
  const seen = traffic?.usage ?? null;
  if (seen === null || (seen.inputTokens === null && seen.outputTokens === null))
    return { usage: said, notes: [] };
  const [told, metered] = [totalTokens(said), totalTokens(seen)];
  const differ = told !== null && metered !== null && told !== metered;
  return {
    usage: { ...seen, costUsd: seen.costUsd ?? said.costUsd },
    notes: differ ? [`the client reports ${told} tokens, but ${metered} passed through the gateway`] : [],
  };
}
