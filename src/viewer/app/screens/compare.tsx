import { useCallback, useMemo, useState } from "preact/hooks";
import type {
  AlignedSpan,
  ComparedRun,
  ComparePage,
  RunAddress,
  TimelineEvent,
} from "../../../domain/run-pages.ts";
import { ask } from "../../api.ts";
import { useKeys } from "../keys.ts";
import { Mark } from "../parts/mark.tsx";
import { Panel } from "../parts/panel.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { hrefOf, setting } from "../router.ts";
import { useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { markOfLetter } from "../verdicts.ts";
import { runNamed } from "./compare/run-named.ts";
import { compareRows, type CompareRow } from "./compare/rows.ts";
import { firstLine, summaryOf } from "./run/summary-of.ts";
import { usePages } from "./run/use-pages.ts";

/** Two runs, step by step: where do they part? */
export function CompareScreen() {
  const a = runNamed(setting("a"));
  const b = runNamed(setting("b"));
  const page = useAnswer(a === null || b === null ? null : ask.compare(a, b));
  if (a === null || b === null) return <p class="empty">{TEXTS.compare.choose}</p>;
  return <Waiting of={page}>{(answer) => <CompareView page={answer} />}</Waiting>;
}

function CompareView({ page }: { readonly page: ComparePage }) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<AlignedSpan>>(new Set());
  const rows = useMemo(() => compareRows(page.spans, unfolded), [page, unfolded]);
  const first = rows.findIndex((row) => row.kind === "pair" && row.differs);
  const [active, setActive] = useState<number | null>(null);
  const differing = useMemo(
    () => rows.flatMap((row, at) => (row.kind === "pair" && row.differs ? [at] : [])),
    [rows],
  );
  const move = (by: number) => {
    const here = active === null ? -1 : differing.indexOf(active);
    const next = differing[Math.max(0, Math.min(differing.length - 1, here + by))];
    if (next !== undefined) setActive(next);
  };
  useKeys({
    j: { does: TEXTS.keys.nextDifference, run: () => move(1) },
    k: { does: TEXTS.keys.previousDifference, run: () => move(-1) },
  });
  return (
    <>
      <div class="head">
        <h1>{TEXTS.compare.title}</h1>
        <span class="facts">{TEXTS.compare.counts(page.equal, page.suppressed)}</span>
      </div>
      <section class={`verdict ${page.divergence === null ? "" : "unsettled"}`}>
        <p>
          {page.divergence === null ? TEXTS.compare.same : TEXTS.compare.divergence(page.divergence.words)}
        </p>
      </section>
      <div class="columns">
        <Side run={page.a} other={page.b} />
        <Side run={page.b} other={page.a} />
      </div>
      <Panel title={TEXTS.compare.steps} flush>
        <Steps
          page={page}
          rows={rows}
          active={active ?? (first < 0 ? null : first)}
          onUnfold={(span) => setUnfolded(new Set([...unfolded, span]))}
        />
      </Panel>
    </>
  );
}

/** How a run came out; what the other did not share comes first. */
function Side({ run, other }: { readonly run: ComparedRun; readonly other: ComparedRun }) {
  const differs = (id: string) => run.verdicts[id] !== other.verdicts[id];
  const page = useAnswer(ask.run(run.at));
  const texts = new Map(
    page.state === "here" ? page.answer.grading?.verdicts.map(({ checkId, text }) => [checkId, text]) : [],
  );
  const ids = Object.keys(run.verdicts).toSorted((a, b) => Number(differs(b)) - Number(differs(a)));
  return (
    <Panel
      title={TEXTS.compare.side(run.at.skill, run.at.n)}
      flush
      tools={<a href={hrefOf("run", { ...run.at })}>{run.at.trial}</a>}
    >
      {ids.map((id) => (
        <p key={id} class="row">
          <Mark kind={markOfLetter(run.verdicts[id] ?? "-")} />
          <span class="cut">{texts.get(id) ?? id}</span>
          {differs(id) && <span class="tag unsettled">{TEXTS.compare.differs}</span>}
        </p>
      ))}
    </Panel>
  );
}

const PAGE_SIZE_UNKNOWN = 1;

interface StepsProps {
  readonly page: ComparePage;
  readonly rows: readonly CompareRow[];
  readonly active: number | null;
  readonly onUnfold: (span: AlignedSpan) => void;
}

function Steps({ page, rows, active, onUnfold }: StepsProps) {
  const left = useTexts(page.a.at);
  const right = useTexts(page.b.at);
  const onRange = useCallback(
    (first: number, last: number) => {
      for (const row of rows.slice(first, last + 1)) {
        if (row.kind !== "pair") continue;
        if (row.a !== null) left.want(row.a, row.a);
        if (row.b !== null) right.want(row.b, row.b);
      }
    },
    [rows, left.want, right.want],
  );
  return (
    <VirtualList
      fit="70vh"
      count={rows.length}
      estimate={29}
      label={TEXTS.compare.steps}
      active={active}
      version={`${rows.length}`}
      onRange={onRange}
      row={(at) => {
        const row = rows[at];
        if (row === undefined) return null;
        if (row.kind === "fold")
          return (
            <button type="button" class="plain fold" onClick={() => onUnfold(row.span)}>
              ▸ {TEXTS.compare.equalSteps(row.steps)}
            </button>
          );
        return (
          <div class={`pair ${row.differs ? "differs" : ""} ${at === active ? "chosen" : ""}`}>
            <Half at={page.a.at} index={row.a} of={row.a === null ? undefined : left.eventAt(row.a)} />
            <Half at={page.b.at} index={row.b} of={row.b === null ? undefined : right.eventAt(row.b)} />
          </div>
        );
      }}
    />
  );
}

function useTexts(at: RunAddress) {
  const index = useAnswer(ask.timelineIndex(at));
  const size = index.state === "here" ? index.answer.pageSize : PAGE_SIZE_UNKNOWN;
  const pages = usePages(at, size);
  const wait = useCallback(() => {}, []);
  return index.state === "here" ? pages : { eventAt: () => undefined, want: wait };
}

function Half({
  at,
  index,
  of,
}: {
  readonly at: RunAddress;
  readonly index: number | null;
  readonly of: TimelineEvent | undefined;
}) {
  if (index === null) return <div class="nothing" aria-label={TEXTS.compare.nothing} />;
  const event = of?.event ?? null;
  const summary = event === null ? null : summaryOf(event);
  return (
    <div class="cut">
      <a class="small quiet" href={hrefOf("run", { ...at, event: index })}>
        {index}
      </a>{" "}
      {summary === null ? (
        "…"
      ) : (
        <>
          <span class="quiet">{summary.sign}</span> <strong>{summary.label}</strong> {firstLine(summary.text)}
        </>
      )}
    </div>
  );
}
