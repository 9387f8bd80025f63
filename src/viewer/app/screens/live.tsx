import { useEffect, useState } from "preact/hooks";
import type { LiveState } from "../../../domain/pages.ts";
import { ask } from "../../api.ts";
import { count, money } from "../format.ts";
import { Mark } from "../parts/mark.tsx";
import { Panel } from "../parts/panel.tsx";
import { hrefOf } from "../router.ts";
import { isStatic } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { markOfRun } from "../verdicts.ts";
import { addressed } from "./iteration.tsx";
import { CallPanel } from "./live/call.tsx";

/** Follows an iteration while it runs. */
export function LiveScreen() {
  const at = addressed();
  const { state, connected, refused } = useLive(at);
  if (isStatic) return <p class="empty">{TEXTS.live.notHere}</p>;
  if (refused && state === null) return <p class="empty">{TEXTS.live.none}</p>;
  if (state === null) return <p class="empty">{TEXTS.loading}</p>;
  const done = state.planned === 0 ? 0 : (state.finished / state.planned) * 100;
  return (
    <>
      <div class="head">
        <h1>
          {at.skill} #{at.n}
        </h1>
        <span class="facts" role="status">
          {[
            TEXTS.progress[state.progress],
            TEXTS.live.counts(state.finished, state.planned, state.graded, state.leftOut),
            TEXTS.live.spent(money(state.usage.costUsd), count(state.usage.outputTokens)),
            connected ? null : TEXTS.live.disconnected,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <div
        class="meter"
        role="progressbar"
        aria-label={TEXTS.live.progress}
        aria-valuemin={0}
        aria-valuemax={state.planned}
        aria-valuenow={state.finished}
      >
        <i style={{ width: `${done}%` }} />
      </div>
      {state.call !== null && <CallPanel at={at} call={state.call} />}
      <div class="columns">
        <Panel title={TEXTS.live.running(state.running.length)} flush>
          {state.running.map((one) => (
            <p key={one.trial} class="row">
              <Mark kind="unsettled" />
              <span class="cut">{one.trial}</span>
              <span class="quiet small">{one.startedAt.slice(11, 19)}</span>
            </p>
          ))}
          {state.running.length === 0 && <p class="row quiet">{TEXTS.live.nothingRuns}</p>}
        </Panel>
        <Panel title={TEXTS.live.ended} flush>
          {state.ended.map((one) => (
            <a key={one.trial} class="row" href={hrefOf("run", { ...at, trial: one.trial })}>
              <Mark kind={markOfRun(one)} />
              <span class="cut">{one.trial}</span>
            </a>
          ))}
        </Panel>
      </div>
      <Notes state={state} />
      {state.progress !== "running" && (
        <p>
          <a class="button" href={hrefOf("iteration", { ...at })}>
            {TEXTS.live.results}
          </a>
        </p>
      )}
    </>
  );
}

function Notes({ state }: { readonly state: LiveState }) {
  if (state.notes.length === 0) return null;
  return (
    <Panel title={TEXTS.live.notes} flush>
      <ul class="notes">
        {state.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}

function useLive({ skill, n }: { readonly skill: string; readonly n: number }) {
  const [state, setState] = useState<LiveState | null>(null);
  const [connected, setConnected] = useState(true);
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    if (isStatic) return;
    const source = new EventSource(`/api/${ask.live({ skill, n })}`);
    const take = (event: MessageEvent<string>) => {
      setConnected(true);
      const next = JSON.parse(event.data) as LiveState;
      setState(next);
      if (next.progress !== "running") source.close();
    };
    source.addEventListener("message", take);
    source.addEventListener("error", () => {
      setConnected(false);
      setRefused(source.readyState === EventSource.CLOSED);
    });
    return () => source.close();
  }, [skill, n]);
  return { state, connected, refused };
}
