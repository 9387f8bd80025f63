import type { Gateway } from "../../gateway/gateway.ts";
import type { Pace } from "../../run/pace.ts";
import { money } from "../../report/text.ts";
import type { ControlMessage } from "./message.ts";

/** What of a call can be changed while it is at work. */
export interface Steered {
  readonly pace: Pace;
  /** Null: nothing is metered. */
  readonly gateway: Pick<Gateway, "budget" | "limitBudget"> | null;
  /** Ends what is at work, as Ctrl-C does. */
  readonly abort: () => void;
  readonly note: (note: string) => void;
}

/** Does as it is told; answers why it cannot, else null. */
export function steer(message: ControlMessage, steered: Steered): string | null {
  const { pace, note } = steered;
  switch (message.do) {
    case "status":
      return null;
    case "pause":
      if (pace.state === "stopping") return STOPPING;
      if (pace.state === "running")
        note("paused from another terminal: running trials finish, no new ones start");
      pace.pause();
      return null;
    case "resume":
      if (pace.state === "stopping") return STOPPING;
      if (pace.state === "paused") note("resumed from another terminal");
      pace.resume();
      return null;
    case "stop":
      note(
        message.now
          ? "stopped from another terminal: ending the running trials; --resume continues"
          : "stopped from another terminal: running trials finish, no new ones start; --resume continues",
      );
      pace.stop("control");
      if (message.now) steered.abort();
      return null;
    case "limit":
      return limit(message, steered);
  }
}

const STOPPING = "it is already stopping, which cannot be undone";

function limit(
  { concurrency, maxCostUsd, maxTokens }: Extract<ControlMessage, { do: "limit" }>,
  { pace, gateway, note }: Steered,
): string | null {
  const caps = gateway?.budget() ?? { maxCostUsd: null, maxTokens: null };
  if (maxCostUsd !== null && caps.maxCostUsd === null) return uncapped("--max-cost");
  if (maxTokens !== null && caps.maxTokens === null) return uncapped("--max-tokens");
  gateway?.limitBudget({ maxCostUsd, maxTokens });
  if (concurrency !== null) pace.limit(concurrency);
  const said = [
    ...(concurrency === null ? [] : [`${concurrency} trials at once`]),
    ...(maxCostUsd === null ? [] : [`at most ${money(maxCostUsd)}`]),
    ...(maxTokens === null ? [] : [`at most ${maxTokens} tokens`]),
  ];
  note(`limits changed from another terminal: ${said.join(", ")}`);
  return null;
}

function uncapped(flag: string): string {
  return `it was started without ${flag}, so it has no spending limit to change`;
}
