import type { Act, HarnessWorld } from "../../src/run/harness.contract.ts";
import type { Harness } from "../../src/run/harness.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import type { Json } from "../../src/domain/json.ts";

export interface SimWorld extends HarnessWorld {
  readonly sim: Sim;
}

/** A real agent program whose model does what the acts say: each act is one response. `first`: rules that come before them. */
export async function simWorld(
  harness: Harness,
  turns: readonly (readonly Act[])[],
  first: readonly Json[] = [],
): Promise<SimWorld> {
  const rules = [...first, ...turns.flatMap(rulesOf)];
  const sim = await startSim(parseScript(JSON.stringify({ rules })));
  return {
    harness,
    sim,
    endpoint: { baseUrl: sim.url, token: "fake-token" },
    [Symbol.asyncDispose]: () => sim.close(),
  };
}

function rulesOf(acts: readonly Act[], index: number): readonly Json[] {
  return acts.map((act, step) => {
    const when = { turn: index + 1, step: step + 1 };
    if ("refuse" in act) return { when, fault: { status: act.refuse } };
    if ("hang" in act) return { when, fault: { stall: true } };
    return { when, reply: replyOf(act) };
  });
}

function replyOf(act: Exclude<Act, { refuse: unknown } | { hang: unknown }>): Json {
  if ("say" in act) return { parts: [act.say], ...(act.usage && { usage: { ...act.usage } }) };
  if ("bash" in act) return [{ tool: "bash", input: { command: act.bash } }];
  if ("write" in act)
    return [{ tool: "write", input: { path: `{{cwd}}/${act.write}`, content: act.content } }];
  if ("skill" in act) return [{ tool: "skill", input: { name: act.skill, args: "Ada" } }];
  return [{ tool: "bash", input: { command: "kill -9 $PPID; sleep 5" } }];
}
