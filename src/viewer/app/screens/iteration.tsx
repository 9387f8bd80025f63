import { useMemo } from "preact/hooks";
import type { GridCase, IterationAddress, IterationPage } from "../../../domain/pages.ts";
import { ask } from "../../api.ts";
import { moment } from "../format.ts";
import { useKeys } from "../keys.ts";
import { FAILURES_KEY, FailuresOnly, onlyFailures } from "../parts/failures-only.tsx";
import { useActive } from "../parts/use-active.ts";
import { Boundary } from "../parts/boundary.tsx";
import { Panel } from "../parts/panel.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { adjust, go, hrefOf, setting } from "../router.ts";
import { useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { inOrder, isFlaky, markOfIteration, markOfRun } from "../verdicts.ts";
import { CaseRow } from "./iteration/case-row.tsx";
import { Flips, LeftOut, Notes, Weak } from "./iteration/lists.tsx";
import { Distributions, LiftForest } from "./iteration/plots.tsx";
import { SearchPanel } from "./iteration/search.tsx";

/** What broke, and why? Is the skill better than without it, and than before? */
export function IterationScreen() {
  const at = addressed();
  const against = setting("against") === "" ? null : Number(setting("against"));
  const page = useAnswer(ask.iteration(at, against));
  return <Waiting of={page}>{(answer) => <IterationView page={answer} />}</Waiting>;
}

export function addressed(): IterationAddress {
  return { skill: setting("skill"), n: Number(setting("n")) };
}

const MANY = 60;

function IterationView({ page: given }: { readonly page: IterationPage }) {
  const page = useMemo(() => ({ ...given, cases: inOrder(given.cases) }), [given]);
  const failures = onlyFailures();
  const words = setting("q").toLowerCase();
  const cases = useMemo(
    () => page.cases.filter((one) => (!failures || hasTrouble(one)) && matches(one, words)),
    [page, failures, words],
  );
  const opened = new Set(setting("open").split(",").filter(Boolean));
  const toggle = (caseId: string) => {
    const next = new Set(opened);
    if (!next.delete(caseId)) next.add(caseId);
    adjust({ open: [...next].join(",") });
  };
  const { active, keys } = useActive(cases.length);
  useKeys({
    ...keys,
    Enter: {
      does: TEXTS.keys.openCase,
      run: () => {
        const one = cases[active];
        if (one !== undefined) toggle(one.caseId);
      },
    },
    o: {
      does: TEXTS.keys.openRun,
      run: () => {
        const run = cases[Math.max(0, active)]?.arms[0]?.runs;
        const first = run?.find((one) => markOfRun(one) !== "passed") ?? run?.[0];
        if (first !== undefined) go(hrefOf("run", { ...page.at, trial: first.trial }));
      },
    },
    ...FAILURES_KEY,
    c: { does: TEXTS.keys.compare, run: () => document.querySelector<HTMLElement>("#against")?.focus() },
    b: { does: TEXTS.keys.blind, run: () => go(hrefOf("blind", { ...page.at })) },
  });
  const row = (index: number) => {
    const one = cases[index];
    if (one === undefined) return null;
    return (
      <CaseRow
        key={one.caseId}
        page={page}
        of={one}
        active={index === active}
        open={opened.has(one.caseId)}
        onToggle={() => toggle(one.caseId)}
      />
    );
  };
  return (
    <>
      <Head page={page} />
      <VerdictWords page={page} />
      <div class="tools">
        <input
          type="search"
          placeholder={TEXTS.iteration.searchCases}
          aria-label={TEXTS.iteration.searchCases}
          value={setting("q")}
          onInput={(event) => adjust({ q: event.currentTarget.value })}
        />
        <FailuresOnly />
        <span class="grow" />
        <Against page={page} />
        {hasArms(page) && (
          <a class="button" href={hrefOf("blind", { ...page.at })}>
            {TEXTS.screens.blind}
          </a>
        )}
        {page.iteration.skill !== null && (
          <a class="button" href={hrefOf("skill", { ...page.at })}>
            {TEXTS.screens.skill}
          </a>
        )}
        {(page.summary?.triggers ?? null) !== null && (
          <a class="button" href={hrefOf("triggers", { ...page.at })}>
            {TEXTS.screens.triggers}
          </a>
        )}
      </div>
      {page.problems.map((problem) => (
        <p key={problem} class="broken">
          {problem}
        </p>
      ))}
      <Panel title={TEXTS.iteration.cases(cases.length, page.cases.length)} flush name="grid-panel">
        {cases.length === 0 && <p class="empty">{TEXTS.nothingFound}</p>}
        {cases.length > MANY ? (
          <VirtualList
            count={cases.length}
            estimate={53}
            row={row}
            label={TEXTS.iteration.caseList}
            active={active}
            version={`${failures}${words}`}
            fit="70vh"
          />
        ) : (
          cases.map((_, index) => row(index))
        )}
      </Panel>
      <div class="columns">
        {[LiftForest, Distributions].map((Part) => (
          <Boundary key={Part.name} of={TEXTS.thisPart}>
            <Part page={page} />
          </Boundary>
        ))}
      </div>
      <div class="masonry">
        {[Flips, Weak, LeftOut, Notes].map((Part) => (
          <Boundary key={Part.name} of={TEXTS.thisPart}>
            <Part page={page} />
          </Boundary>
        ))}
      </div>
      <SearchPanel at={{ ...page.at, trial: null }} />
    </>
  );
}

function Head({ page }: { readonly page: IterationPage }) {
  const { iteration, summary, leftOut } = page;
  const planned = page.cases.flatMap(({ arms }) => arms).reduce((sum, { runs }) => sum + runs.length, 0);
  const sandbox = iteration.options["sandbox"];
  const facts = [
    [iteration.client?.name ?? iteration.harness, iteration.client?.version].filter(Boolean).join(" "),
    iteration.model,
    iteration.judge === null ? null : TEXTS.iteration.judge(iteration.judge.model),
    typeof sandbox === "string" ? sandbox : null,
    summary === null ? null : TEXTS.iteration.counted(planned - leftOut.length, planned),
    moment(iteration.createdAt),
  ];
  return (
    <div class="head">
      <h1>
        {page.at.skill} #{page.at.n}
      </h1>
      <span class="facts">{facts.filter(Boolean).join(" · ")}</span>
      {page.progress !== "complete" && (
        <a class="tag unsettled" href={hrefOf("live", { ...page.at })}>
          {TEXTS.progress[page.progress]}
        </a>
      )}
    </div>
  );
}

function VerdictWords({ page }: { readonly page: IterationPage }) {
  const { words, summary } = page;
  const compared = summary?.benchmark ?? null;
  const lift =
    compared === null ? null : { verdict: compared.verdict, action: compared.decision?.action ?? null };
  const mark = markOfIteration(summary?.verdict ?? null, lift);
  const more = [words.theseCases, words.otherCases, words.decision].filter(
    (sentence): sentence is string => sentence !== null && sentence !== words.headline,
  );
  return (
    <section class={`verdict ${mark}`} aria-label={TEXTS.iteration.verdict}>
      <p>{withArrows(words.headline)}</p>
      {more.map((sentence) => (
        <p key={sentence} class="quiet">
          {withArrows(sentence)}
        </p>
      ))}
      {summary?.alarms.map((alarm) => (
        <p key={alarm} class="tag failed alarm">
          {alarm}
        </p>
      ))}
    </section>
  );
}

/** Terminals get them in letters that all of them have. */
function withArrows(sentence: string): string {
  return sentence.replaceAll(" -> ", " → ");
}

function Against({ page }: { readonly page: IterationPage }) {
  if (page.others.length === 0) return null;
  const shown = page.compared === null ? "" : String(page.compared.n);
  return (
    <label class="quiet">
      {TEXTS.iteration.compareWith}{" "}
      <select id="against" value={shown} onChange={(event) => adjust({ against: event.currentTarget.value })}>
        {page.compared === null && <option value="">–</option>}
        {page.others.map((one) => (
          <option key={one.n} value={String(one.n)}>
            #{one.n} {moment(one.at)}
          </option>
        ))}
      </select>
    </label>
  );
}

function hasArms(page: IterationPage): boolean {
  return page.cases.some((one) => one.arms.length > 1);
}

function hasTrouble(one: GridCase): boolean {
  return (
    one.arms.some((arm) => isFlaky(arm)) ||
    (one.arms[0]?.runs.some((run) => markOfRun(run) !== "passed") ?? false)
  );
}

function matches(one: GridCase, words: string): boolean {
  if (words === "") return true;
  return [one.caseId, one.name ?? "", one.prompt, ...one.checks.map(({ text }) => text)].some((text) =>
    text.toLowerCase().includes(words),
  );
}
