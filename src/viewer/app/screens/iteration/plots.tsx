import type { GridRun, IterationPage } from "../../../../domain/pages.ts";
import { count, money, seconds } from "../../format.ts";
import { Dots, Forest, type ForestRow } from "../../parts/charts.tsx";
import { Panel } from "../../parts/panel.tsx";
import { hrefOf } from "../../router.ts";
import { TEXTS } from "../../texts.ts";
import { markOfRun } from "../../verdicts.ts";

const SHOWN = 24;

/** The difference that the skill makes, case by case, worst first. */
export function LiftForest({ page }: { readonly page: IterationPage }) {
  const lift = page.summary?.benchmark?.comparisons[0]?.passRate ?? null;
  const rows = page.cases
    .flatMap((one): ForestRow[] =>
      one.comparison === null
        ? []
        : [
            {
              key: one.caseId,
              label: one.name ?? one.caseId,
              href: hrefOf("iteration", { ...page.at, open: one.caseId, q: one.caseId }),
              value: one.comparison.difference,
              low: one.interval?.low ?? null,
              high: one.interval?.high ?? null,
            },
          ],
    )
    .toSorted((a, b) => (a.value ?? 2) - (b.value ?? 2));
  if (rows.length === 0) return null;
  const total: ForestRow | null =
    lift === null
      ? null
      : {
          key: "total",
          label: TEXTS.iteration.allCases,
          href: null,
          value: lift.lift,
          low: lift.interval?.low ?? null,
          high: lift.interval?.high ?? null,
        };
  return (
    <Panel title={TEXTS.iteration.forest}>
      <Forest rows={shownOf(rows)} total={total} />
      {rows.length > SHOWN && <p class="small quiet">{TEXTS.iteration.forestCut(SHOWN, rows.length)}</p>}
    </Panel>
  );
}

/** Of very many, both ends: that is where something is to be seen. */
function shownOf(rows: readonly ForestRow[]): readonly ForestRow[] {
  return rows.length <= SHOWN ? rows : [...rows.slice(0, SHOWN / 2), ...rows.slice(-SHOWN / 2)];
}

/** Time, tokens and cost of every counted run, in both arms. */
export function Distributions({ page }: { readonly page: IterationPage }) {
  const arms = page.cases.flatMap((one) => one.arms);
  const variants = [...new Set(arms.map(({ variant }) => variant))];
  const rowsOf = (value: (run: GridRun) => number | null) =>
    variants.map((variant, at) => ({
      label: TEXTS.variants[variant],
      filled: at === 0,
      values: arms
        .filter((arm) => arm.variant === variant)
        .flatMap(({ runs }) => runs)
        .filter((run) => markOfRun(run) !== "left-out")
        .flatMap((run) => value(run) ?? []),
    }));
  return (
    <Panel title={TEXTS.iteration.distributions}>
      <Dots
        title={TEXTS.iteration.time}
        rows={rowsOf((run) => run.seconds)}
        show={(value) => seconds(value * 1000)}
      />
      <Dots title={TEXTS.iteration.tokens} rows={rowsOf((run) => run.tokens)} show={count} />
      <Dots title={TEXTS.iteration.cost} rows={rowsOf((run) => run.costUsd)} show={money} />
    </Panel>
  );
}
