import { useState } from "preact/hooks";
import type { IterationAddress, LiveCall, Steering } from "../../../../domain/pages.ts";
import { ask } from "../../../api.ts";
import { count, money } from "../../format.ts";
import { Panel } from "../../parts/panel.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { type Answered, failure, send } from "../../source.ts";
import { TEXTS } from "../../texts.ts";

interface CallProps {
  readonly at: IterationAddress;
  readonly call: LiveCall;
}

/** The call at work: how it may be steered, what it has spent of what it may, and what services let through. */
export function CallPanel({ at, call }: CallProps) {
  const [problem, setProblem] = useState<Answered<never> | null>(null);
  const { spending } = call;
  const facts: readonly (readonly [string, string])[] = [
    [TEXTS.live.state, TEXTS.live.states[call.state]],
    [TEXTS.live.atOnce, count(call.concurrency)],
    [TEXTS.live.cost, TEXTS.live.ofBudget(money(spending.costUsd), limitOf(spending.maxCostUsd, money))],
    [TEXTS.live.tokens, TEXTS.live.ofBudget(count(spending.tokens), limitOf(spending.maxTokens, count))],
    ...Object.entries(call.services).map(
      ([name, limit]) => [name, TEXTS.live.service(limit)] as readonly [string, string],
    ),
  ];
  const tell = async (what: Steering) => {
    setProblem(null);
    try {
      await send(ask.steer(at), { do: what });
    } catch (error) {
      setProblem(failure(error));
    }
  };
  return (
    <Panel
      title={TEXTS.live.call}
      tools={
        <div class="tools">
          {STEPS[call.state].map((what) => (
            <button key={what} type="button" onClick={() => void tell(what)}>
              {TEXTS.live.tell[what]}
            </button>
          ))}
        </div>
      }
    >
      <dl class="facts-list">
        {facts.map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd key={`${name} value`}>{value}</dd>
          </>
        ))}
      </dl>
      {call.state === "stopping" && <p class="quiet">{TEXTS.live.stopping}</p>}
      {problem !== null && <Waiting of={problem}>{() => null}</Waiting>}
    </Panel>
  );
}

const STEPS: Readonly<Record<LiveCall["state"], readonly Steering[]>> = {
  running: ["pause", "stop"],
  paused: ["resume", "stop"],
  stopping: [],
};

function limitOf(most: number | null, show: (value: number) => string): string | null {
  return most === null ? null : show(most);
}
