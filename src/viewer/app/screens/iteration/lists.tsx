import type { IterationPage } from "../../../../domain/pages.ts";
import { points } from "../../format.ts";
import { Panel } from "../../parts/panel.tsx";
import { hrefOf } from "../../router.ts";
import { TEXTS } from "../../texts.ts";

interface ListProps {
  readonly page: IterationPage;
}

/** What changed since the iteration it is compared with, what got worse first. */
export function Flips({ page }: ListProps) {
  const { compared } = page;
  if (compared === null) return null;
  return (
    <Panel title={TEXTS.iteration.since(compared.n)} flush>
      <ul class="notes">
        {compared.caveats.map((caveat) => (
          <li key={caveat} class="quiet">
            {caveat}
          </li>
        ))}
        {compared.together !== null && (
          <li>{TEXTS.iteration.together(points(compared.together.difference), compared.together.change)}</li>
        )}
        {compared.flips.map((flip) => (
          <li key={`${flip.caseId} ${flip.checkId}`}>
            <span class={`tag ${TEXTS.flips[flip.change].mark}`}>
              {TEXTS.flips[flip.change].words(flip, compared.n)}
            </span>{" "}
            <a href={hrefOf("iteration", { ...page.at, open: flip.caseId, q: flip.caseId })}>{flip.caseId}</a>{" "}
            {flip.text}
          </li>
        ))}
        {compared.flips.length === 0 && <li class="quiet">{TEXTS.iteration.noFlips}</li>}
      </ul>
    </Panel>
  );
}

export function Weak({ page }: ListProps) {
  const weak = page.cases.flatMap((one) =>
    one.checks.flatMap((check) => check.weak.map((reason) => ({ caseId: one.caseId, check, reason }))),
  );
  const remarks = page.summary?.remarks ?? [];
  if (weak.length + remarks.length === 0) return null;
  return (
    <Panel title={TEXTS.iteration.weak(weak.length + remarks.length)} flush>
      <ul class="notes">
        {weak.map(({ caseId, check, reason }) => (
          <li key={`${caseId} ${check.id} ${reason}`}>
            <a href={hrefOf("iteration", { ...page.at, open: caseId, q: caseId })}>{caseId}</a> {check.text}
            <div class="small quiet">{reason}</div>
          </li>
        ))}
        {remarks.map((remark) => (
          <li key={`${remark.kind} ${remark.check} ${remark.text}`}>
            <span class="tag">{TEXTS.remarks[remark.kind]}</span> {remark.check}
            <div class="small quiet">{remark.text}</div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function LeftOut({ page }: ListProps) {
  return (
    <Panel title={TEXTS.iteration.leftOut(page.leftOut.length)} flush>
      <ul class="notes">
        {page.leftOut.map((run) => (
          <li key={run.trial}>
            <a href={hrefOf("run", { ...page.at, trial: run.trial })}>{run.trial}</a>{" "}
            <span class="tag">{run.status}</span>
            <div class="small quiet">{run.reason}</div>
          </li>
        ))}
        {page.leftOut.length === 0 && <li class="quiet">{TEXTS.iteration.nothingLeftOut}</li>}
      </ul>
    </Panel>
  );
}

export function Notes({ page }: ListProps) {
  const notes = [...new Set([...page.notes, ...(page.summary?.benchmark?.notes ?? [])])];
  if (notes.length === 0) return null;
  return (
    <Panel title={TEXTS.iteration.notes(notes.length)} flush>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}
