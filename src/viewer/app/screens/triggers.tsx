import type { QuerySummary } from "../../../domain/triggers.ts";
import type { TriggerRun, TriggersPage } from "../../../domain/pages.ts";
import { ask } from "../../api.ts";
import { percent } from "../format.ts";
import { useKeys } from "../keys.ts";
import { FAILURES_KEY, FailuresOnly, onlyFailures } from "../parts/failures-only.tsx";
import { useActive } from "../parts/use-active.ts";
import { Boundary } from "../parts/boundary.tsx";
import { RateLine } from "../parts/charts.tsx";
import { Mark, type MarkKind } from "../parts/mark.tsx";
import { Panel } from "../parts/panel.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { go, hrefOf } from "../router.ts";
import { useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { addressed } from "./iteration.tsx";
import { ConfusionPanel } from "./triggers/confusion.tsx";
import { TriggerSets } from "./triggers/edit-set.tsx";

/** Does the skill fire when it should, and only then? */
export function TriggersScreen() {
  const page = useAnswer(ask.triggers(addressed()));
  return <Waiting of={page}>{(answer) => <TriggersView page={answer} />}</Waiting>;
}

const MARKS: Readonly<Record<QuerySummary["status"], MarkKind>> = {
  passed: "passed",
  failed: "failed",
  unsettled: "unsettled",
  unscored: "left-out",
};

function TriggersView({ page }: { readonly page: TriggersPage }) {
  const { triggers } = page;
  const failures = onlyFailures();
  const queries = triggers?.queries.filter((one) => !failures || one.status !== "passed") ?? [];
  const { active, keys } = useActive(queries.length);
  useKeys({
    ...keys,
    Enter: {
      does: TEXTS.keys.openRun,
      run: () => {
        const first = page.runs[queries[active]?.caseId ?? ""]?.[0];
        if (first !== undefined) go(hrefOf("run", { ...page.at, trial: first.trial }));
      },
    },
    ...FAILURES_KEY,
  });
  if (triggers === null) return <p class="empty">{TEXTS.triggers.none}</p>;
  const invalid = triggers.validity.status === "invalid" ? triggers.validity.reason : null;
  return (
    <>
      <div class="head">
        <h1>{TEXTS.triggers.title(triggers.skill)}</h1>
        <span class="facts">{triggers.description}</span>
      </div>
      <section class={`verdict ${invalid === null ? "" : "failed"}`}>
        <p>
          {invalid ??
            TEXTS.triggers.summary(
              TEXTS.rateOf(triggers.accuracy),
              TEXTS.rateOf(triggers.precision),
              TEXTS.rateOf(triggers.recall),
            )}
        </p>
        <p class="quiet">{TEXTS.triggers.threshold(percent(triggers.threshold))}</p>
      </section>
      <Panel title={TEXTS.triggers.queries(queries.length)} flush tools={<FailuresOnly />}>
        <div class="scroll">
          <table class="queries">
            <thead>
              <tr>
                <th>{TEXTS.triggers.columns.query}</th>
                <th>{TEXTS.triggers.columns.expected}</th>
                <th>{TEXTS.triggers.columns.rate}</th>
                <th>{TEXTS.triggers.columns.instead}</th>
                <th>{TEXTS.triggers.columns.runs}</th>
              </tr>
            </thead>
            <tbody>
              {queries.map((query, at) => (
                <QueryRow
                  key={query.caseId}
                  page={page}
                  query={query}
                  threshold={triggers.threshold}
                  active={at === active}
                />
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
      <ConfusionPanel page={page} />
      <Boundary of={TEXTS.thisPart}>
        <TriggerSets at={page.at} />
      </Boundary>
    </>
  );
}

interface QueryRowProps {
  readonly page: TriggersPage;
  readonly query: QuerySummary;
  readonly threshold: number;
  readonly active: boolean;
}

function QueryRow({ page, query, threshold, active }: QueryRowProps) {
  return (
    <tr class={active ? "active" : ""}>
      <td>
        <span class="arm">
          <Mark kind={MARKS[query.status]} words={query.reason} />
          <span>
            {query.query}
            <span class="small quiet reason">{query.reason}</span>
          </span>
        </span>
      </td>
      <td>{query.shouldTrigger ? TEXTS.triggers.fires : (query.rival ?? TEXTS.triggers.silent)}</td>
      <td>
        <span class="arm">
          <RateLine
            value={query.fired.rate}
            low={query.fired.low}
            high={query.fired.high}
            threshold={threshold}
          />
          <span class="number">
            {query.fired.passed}/{query.fired.total}
          </span>
        </span>
      </td>
      <td class="quiet">
        {Object.entries(query.others)
          .map(([skill, runs]) => `${skill} ${runs}`)
          .join(", ")}
      </td>
      <td>
        <span class="marks">
          {(page.runs[query.caseId] ?? []).map((run) => (
            <a
              key={run.trial}
              href={hrefOf("run", { ...page.at, trial: run.trial })}
              title={run.fired.join(", ")}
            >
              <Mark
                kind={markOfQueryRun(run, query, page.triggers?.skill)}
                words={TEXTS.triggers.runWords(run.fired)}
              />
            </a>
          ))}
        </span>
      </td>
    </tr>
  );
}

/** Passed means: as it should, whether that is firing or staying silent. */
function markOfQueryRun(run: TriggerRun, query: QuerySummary, skill: string | undefined): MarkKind {
  if (run.status !== "completed") return "left-out";
  return run.fired.includes(skill ?? "") === query.shouldTrigger ? "passed" : "failed";
}
