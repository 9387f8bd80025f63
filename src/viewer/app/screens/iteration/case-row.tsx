import type { Flip } from "../../../../domain/flip.ts";
import type { GridArm, GridCase, GridCheck, GridRun, IterationPage } from "../../../../domain/pages.ts";
import { points } from "../../format.ts";
import { Interval } from "../../parts/charts.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Peek } from "../../parts/peek.tsx";
import { hrefOf } from "../../router.ts";
import { TEXTS } from "../../texts.ts";
import { isFlaky, markOfLetter, markOfRun } from "../../verdicts.ts";

interface CaseRowProps {
  readonly page: IterationPage;
  readonly of: GridCase;
  readonly active: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** One case: how each run of each arm came out; opened, each check of each run. */
export function CaseRow({ page, of, active, open, onToggle }: CaseRowProps) {
  const flips = page.compared?.flips.filter((flip) => flip.caseId === of.caseId) ?? [];
  const { comparison } = of;
  return (
    <div class={active ? "case active" : "case"}>
      <div class="case-line">
        <button
          type="button"
          class="plain case-name"
          aria-expanded={open}
          onClick={onToggle}
          title={of.prompt}
        >
          <span aria-hidden="true">{open ? "▾" : "▸"}</span>
          <span class="case-words">
            <strong class="cut">{of.name ?? of.caseId}</strong>
            <span class="small quiet cut">
              {TEXTS.iteration.checks(of.checks.length, flips.length, page.compared?.n)}
              {of.name === null && ` · ${of.prompt}`}
            </span>
          </span>
        </button>
        {of.arms.map((arm) => (
          <ArmCell key={arm.variant} page={page} arm={arm} alone={of.arms.length === 1} />
        ))}
        <div class="case-lift wide">
          {comparison !== null && (
            <>
              <Interval
                value={comparison.difference}
                low={of.interval?.low ?? null}
                high={of.interval?.high ?? null}
                width={120}
              />
              <span class="number">{points(comparison.difference)}</span>
            </>
          )}
        </div>
      </div>
      {open && <Checks page={page} of={of} flips={flips} />}
    </div>
  );
}

function ArmCell({
  page,
  arm,
  alone,
}: {
  readonly page: IterationPage;
  readonly arm: GridArm;
  readonly alone: boolean;
}) {
  return (
    <div class={alone ? "case-arm alone" : "case-arm"}>
      <span class="small quiet arm-name">{TEXTS.variants[arm.variant]}</span>
      <span class="marks">
        {arm.runs.map((run) => (
          <a key={run.trial} href={hrefOf("run", { ...page.at, trial: run.trial })}>
            <Mark
              kind={markOfRun(run)}
              words={TEXTS.iteration.runWords(run.repetition, markOfRun(run), run.status)}
            />
          </a>
        ))}
      </span>
      <span class="number small">
        {arm.checks.total === 0 ? "–" : `${arm.checks.passed}/${arm.checks.total}`}
      </span>
      {isFlaky(arm) && <span class="tag unsettled">{TEXTS.flaky}</span>}
    </div>
  );
}

function Checks({
  page,
  of,
  flips,
}: {
  readonly page: IterationPage;
  readonly of: GridCase;
  readonly flips: readonly Flip[];
}) {
  return (
    <div class="case-checks">
      {of.checks.map((check, at) => (
        <CheckLine
          key={check.id}
          page={page}
          of={of}
          check={check}
          at={at}
          flip={flips.find((one) => one.checkId === check.id)}
        />
      ))}
      {of.comparison?.noSignal.map((reason) => (
        <p key={reason} class="small quiet">
          {TEXTS.iteration.noSignal(reason)}
        </p>
      ))}
    </div>
  );
}

interface CheckLineProps {
  readonly page: IterationPage;
  readonly of: GridCase;
  readonly check: GridCheck;
  readonly at: number;
  readonly flip: Flip | undefined;
}

function CheckLine({ page, of, check, at, flip }: CheckLineProps) {
  return (
    <div class="case-line check-row">
      <div class="check-text">
        <span class="tag">{TEXTS.decidedBy[check.layer]}</span> {check.text}{" "}
        {flip !== undefined && (
          <span class={`tag ${TEXTS.flips[flip.change].mark}`}>
            {TEXTS.flips[flip.change].words(flip, page.compared?.n)}
          </span>
        )}
        {check.weak.map((reason) => (
          <span key={reason} class="tag unsettled" title={reason}>
            {TEXTS.weak}
          </span>
        ))}
      </div>
      {of.arms.map((arm) => (
        <div key={arm.variant} class="case-arm">
          <span class="small quiet arm-name only-narrow">{TEXTS.variants[arm.variant]}</span>
          <span class="marks">
            {arm.runs.map((run) => (
              <CheckMark
                key={run.trial}
                page={page}
                run={run}
                check={check}
                letter={run.verdicts[at] ?? "-"}
              />
            ))}
          </span>
        </div>
      ))}
      <div class="case-lift wide" />
    </div>
  );
}

function CheckMark({
  page,
  run,
  check,
  letter,
}: {
  readonly page: IterationPage;
  readonly run: GridRun;
  readonly check: GridCheck;
  readonly letter: string;
}) {
  const kind = markOfLetter(letter);
  return (
    <Peek at={{ ...page.at, trial: run.trial }} checkId={check.id}>
      <a href={hrefOf("run", { ...page.at, trial: run.trial, check: check.id })}>
        <Mark kind={kind} words={TEXTS.iteration.checkWords(run.repetition, kind)} />
      </a>
    </Peek>
  );
}
