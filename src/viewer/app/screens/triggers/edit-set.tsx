import { useState } from "preact/hooks";
import type { IterationAddress, SetQuery, TriggerSet } from "../../../../domain/pages.ts";
import { ask } from "../../../api.ts";
import { say } from "../../parts/copy.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { type Answered, failure, isStatic, send, useAnswer } from "../../source.ts";
import { TEXTS } from "../../texts.ts";

/** The files that the queries come from, to be changed where they are. */
export function TriggerSets({ at }: { readonly at: IterationAddress }) {
  const [turn, setTurn] = useState(0);
  const page = useAnswer(isStatic ? null : ask.triggerSets(at), turn);
  if (isStatic) return null;
  return (
    <Waiting of={page}>
      {({ sets }) =>
        sets.map((set) => (
          <SetPanel key={`${set.file} ${set.digest}`} at={at} set={set} onSaved={() => setTurn(turn + 1)} />
        ))
      }
    </Waiting>
  );
}

interface SetPanelProps {
  readonly at: IterationAddress;
  readonly set: TriggerSet;
  readonly onSaved: () => void;
}

type Row = SetQuery & { readonly key: number };

function SetPanel({ at, set, onSaved }: SetPanelProps) {
  const [open, setOpen] = useState(false);
  const [rows, setRows] = useState<readonly Row[]>(() => set.queries.map((one, key) => ({ ...one, key })));
  const [problem, setProblem] = useState<Answered<never> | null>(null);
  const change = (key: number, by: Partial<SetQuery>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...by } : row)));
  const add = () =>
    setRows([
      ...rows,
      { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, id: null, query: "", shouldTrigger: true },
    ]);
  const isChanged = JSON.stringify(rows.map(told)) !== JSON.stringify(set.queries.map(told));
  const save = async () => {
    setProblem(null);
    try {
      await send(ask.triggerSets(at), { file: set.file, digest: set.digest, queries: rows.map(told) });
      say(TEXTS.triggers.saved);
      onSaved();
    } catch (error) {
      setProblem(failure(error));
    }
  };
  return (
    <Panel
      title={TEXTS.triggers.set}
      facts={TEXTS.triggers.setFacts(set.file, set.queries.length, set.format)}
      flush
      tools={
        set.problem === null && (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? TEXTS.close : TEXTS.triggers.edit}
          </button>
        )
      }
    >
      {set.problem !== null && <p class="row quiet">{set.problem}</p>}
      {open && (
        <form
          class="set"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          {rows.map((row) => (
            <div key={row.key} class="set-row">
              <textarea
                rows={1}
                aria-label={TEXTS.triggers.columns.query}
                value={row.query}
                onInput={(event) => change(row.key, { query: event.currentTarget.value })}
              />
              <label>
                <input
                  type="checkbox"
                  checked={row.shouldTrigger}
                  onChange={(event) => change(row.key, { shouldTrigger: event.currentTarget.checked })}
                />{" "}
                {TEXTS.triggers.fires}
              </label>
              <button
                type="button"
                class="plain quiet"
                onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
              >
                {TEXTS.triggers.remove}
              </button>
            </div>
          ))}
          <div class="tools row">
            <button type="button" onClick={add}>
              {TEXTS.triggers.add}
            </button>
            <span class="grow" />
            {isChanged && <span class="small quiet">{TEXTS.triggers.unsaved}</span>}
            <button type="submit" disabled={!isChanged}>
              {TEXTS.triggers.save}
            </button>
          </div>
          {problem !== null && <Waiting of={problem}>{() => null}</Waiting>}
        </form>
      )}
    </Panel>
  );
}

function told({ id, query, shouldTrigger }: SetQuery): SetQuery {
  return { id, query: query.trim(), shouldTrigger };
}
