import type { TriggerRun, TriggersPage } from "../../../../domain/pages.ts";
import { Panel } from "../../parts/panel.tsx";
import { adjust, hrefOf, setting } from "../../router.ts";
import { TEXTS } from "../../texts.ts";

/** Which skill answered what: rows should have fired, columns did. A cell lists the runs that it counts. */
export function ConfusionPanel({ page }: { readonly page: TriggersPage }) {
  const { triggers } = page;
  if (triggers === null || triggers.confusion.length === 0) return null;
  const rows = [...new Set(triggers.confusion.map(({ expected }) => expected))];
  const columns = [...new Set(triggers.confusion.map(({ fired }) => fired))];
  const chosen = triggers.confusion.find((cell) => cellName(cell) === setting("cell"));
  return (
    <Panel title={TEXTS.triggers.confusion}>
      <div class="scroll">
        <table class="narrow">
          <thead>
            <tr>
              <th>{TEXTS.triggers.shouldFire}</th>
              {columns.map((fired) => (
                <th key={named(fired)} class="number">
                  {named(fired)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((expected) => (
              <tr key={named(expected)}>
                <td>{named(expected)}</td>
                {columns.map((fired) => (
                  <td key={named(fired)} class="number">
                    <Cell page={page} expected={expected} fired={fired} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen !== undefined && <CellRuns page={page} expected={chosen.expected} fired={chosen.fired} />}
    </Panel>
  );
}

interface CellProps {
  readonly page: TriggersPage;
  readonly expected: string | null;
  readonly fired: string | null;
}

function Cell({ page, expected, fired }: CellProps) {
  const cell = page.triggers?.confusion.find((one) => one.expected === expected && one.fired === fired);
  if (cell === undefined || cell.runs === 0) return <span class="quiet">0</span>;
  const isChosen = setting("cell") === cellName(cell);
  return (
    <button
      type="button"
      class="plain link"
      aria-pressed={isChosen}
      title={TEXTS.triggers.chooseCell(cell.runs)}
      onClick={() => adjust({ cell: isChosen ? null : cellName(cell) })}
    >
      {cell.runs}
    </button>
  );
}

function CellRuns({ page, expected, fired }: CellProps) {
  return (
    <section class="cell-runs" aria-label={TEXTS.triggers.runsOf(named(expected), named(fired))}>
      <h3>{TEXTS.triggers.runsOf(named(expected), named(fired))}</h3>
      {runsIn(page, expected, fired).map(({ query, run }) => (
        <p key={run.trial}>
          <a href={hrefOf("run", { ...page.at, trial: run.trial })}>{run.trial}</a>{" "}
          <span class="quiet">{query}</span>
        </p>
      ))}
    </section>
  );
}

function runsIn(
  { triggers, runs }: TriggersPage,
  expected: string | null,
  fired: string | null,
): readonly { readonly query: string; readonly run: TriggerRun }[] {
  return (triggers?.queries ?? [])
    .filter((query) => (query.shouldTrigger ? (triggers?.skill ?? null) : query.rival) === expected)
    .flatMap(({ caseId, query }) =>
      (runs[caseId] ?? [])
        .filter((run) => (fired === null ? run.fired.length === 0 : run.fired.includes(fired)))
        .map((run) => ({ query, run })),
    );
}

function named(skill: string | null): string {
  return skill ?? TEXTS.triggers.noSkill;
}

function cellName({
  expected,
  fired,
}: {
  readonly expected: string | null;
  readonly fired: string | null;
}): string {
  return JSON.stringify([expected, fired]);
}
