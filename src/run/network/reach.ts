import type { JsonObject } from "../../domain/json.ts";
import type { TrialNetwork, WantedNetwork } from "../../domain/network.ts";
import type { Sandbox, Reach } from "../sandbox.ts";
import type { NetworkCell } from "./cell.ts";

export interface ReachAsk {
  readonly wanted: WantedNetwork;
  /** Beside the model there are hosts that the user allows. */
  readonly allowsHosts: boolean;
  readonly sandbox: Pick<Sandbox, "closesNetwork">;
  /** All that its client needs of the network is the model service. */
  readonly needsOnlyModel: boolean;
  /** Those that the user named. */
  readonly mcpServers: JsonObject | null;
  /** Those of the eval file, which opens nothing: it is the project's. */
  readonly ownServers: JsonObject | null;
  /** The way to the gateway; null: the trial has none. */
  readonly cell: (() => Promise<NetworkCell>) | null;
}

/** What a trial's programs reach. */
export interface ChosenReach {
  readonly reach: Reach;
  readonly network: TrialNetwork;
  /** Why it is not what it would be elsewhere; null: it is. */
  readonly note: string | null;
}

/** Left to itself, a client is held to the gateway where that is all it needs. Rejects, in words, where what is wanted cannot be had. */
export async function chooseReach(ask: ReachAsk): Promise<ChosenReach> {
  const { wanted, sandbox, cell } = ask;
  const { closesNetwork = false } = sandbox;
  if (wanted === "host" || closesNetwork === false) return OPEN;
  if (wanted === "none" || (wanted === "gateway" && cell === null)) return CLOSED;
  if (closesNetwork === "wholly") return OPEN;
  const { allowsHosts } = ask;
  const wantsMore = !ask.needsOnlyModel || ask.mcpServers !== null;
  if (cell === null || (wanted === "auto" && !allowsHosts && wantsMore)) return OPEN;
  try {
    const network = allowsHosts ? "hosts" : "gateway";
    const note = wanted === "auto" && !allowsHosts && ask.ownServers !== null ? HELD_SERVERS : null;
    return { reach: { cellPid: (await cell()).pid }, network, note };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (wanted !== "auto" || allowsHosts)
      throw new Error(`the network cannot be closed here: ${reason}`, { cause: error });
    return { ...OPEN, note: `the network was open, because it cannot be closed here: ${reason}` };
  }
}

const HELD_SERVERS =
  "the MCP servers of the eval file reach nothing but the model; --allow-host, --mcp or --network host gives them more";

const OPEN: ChosenReach = { reach: "host", network: "host", note: null };
const CLOSED: ChosenReach = { reach: "none", network: "none", note: null };
