import { useState } from "preact/hooks";
import type { ImprovedVersion, ImprovePage } from "../../../domain/pages.ts";
import { ask } from "../../api.ts";
import { moment, percent, points } from "../format.ts";
import { useKeys } from "../keys.ts";
import { Interval } from "../parts/charts.tsx";
import { Mark, type MarkKind } from "../parts/mark.tsx";
import { Panel } from "../parts/panel.tsx";
import { Patch } from "../parts/patch.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { adjust, hrefOf, setting } from "../router.ts";
import { useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";

/** Which versions were tried, and what fresh runs said of each. */
export function ImproveScreen() {
  const page = useAnswer(ask.improve(setting("skill")));
  return <Waiting of={page}>{(answer) => <ImproveView page={answer} />}</Waiting>;
}

const MARKS: Readonly<Record<ImprovedVersion["result"], MarkKind>> = {
  baseline: "left-out",
  won: "passed",
  lost: "failed",
  tie: "unsettled",
};

function ImproveView({ page }: { readonly page: ImprovePage }) {
  const [active, setActive] = useState(
    page.versions.findIndex(({ version }) => version === (setting("version") || page.adopted)),
  );
  const choose = (at: number) => {
    const next = Math.max(0, Math.min(page.versions.length - 1, at));
    setActive(next);
    adjust({ version: page.versions[next]?.version ?? null });
  };
  useKeys({
    j: { does: TEXTS.keys.down, run: () => choose(active + 1) },
    k: { does: TEXTS.keys.up, run: () => choose(active - 1) },
  });
  const shown = page.versions[Math.max(0, active)];
  return (
    <>
      <div class="head">
        <h1>{TEXTS.improve.title(page.skill)}</h1>
        <span class="facts">{TEXTS.improve.facts(moment(page.startedAt), page.adopted)}</span>
      </div>
      {page.problems.map((problem) => (
        <p key={problem} class="broken">
          {problem}
        </p>
      ))}
      <div class="run">
        <Panel title={TEXTS.improve.versions(page.versions.length)} flush>
          {page.versions.map((one, at) => (
            <Version
              key={one.version}
              page={page}
              of={one}
              active={at === active}
              depth={depthOf(page.versions, one)}
              onChoose={() => choose(at)}
            />
          ))}
        </Panel>
        {shown !== undefined && (
          <Panel title={TEXTS.improve.diff(shown.version, shown.parent)} flush>
            {(shown.fresh?.explanation ?? null) !== null && <p class="row">{shown.fresh?.explanation}</p>}
            <div class="shown" tabIndex={0}>
              {shown.diff === null ? (
                <p class="quiet">{TEXTS.improve.noDiff}</p>
              ) : (
                <Patch text={shown.diff} />
              )}
            </div>
          </Panel>
        )}
      </div>
    </>
  );
}

interface VersionProps {
  readonly page: ImprovePage;
  readonly of: ImprovedVersion;
  readonly active: boolean;
  readonly depth: number;
  readonly onChoose: () => void;
}

function Version({ page, of, active, depth, onChoose }: VersionProps) {
  const { fresh } = of;
  return (
    <div class={active ? "check active" : "check"} style={{ paddingLeft: `${16 + depth * 16}px` }}>
      <Mark kind={MARKS[of.result]} words={TEXTS.improve.results[of.result]} />
      <div>
        <button type="button" class="plain" onClick={onChoose}>
          <strong>{of.version}</strong>
        </button>
        <span class="quiet small">{TEXTS.improve.results[of.result]}</span>{" "}
        {of.version === page.adopted && <span class="tag passed">{TEXTS.improve.adopted}</span>}
      </div>
      <div class="evidence">
        {of.summary !== null && <p>{of.summary}</p>}
        {fresh === null ? (
          <p class="small quiet">
            {of.result === "baseline" ? TEXTS.improve.baseline : TEXTS.improve.notConfirmed}
          </p>
        ) : (
          <span class="arm">
            <Interval
              value={fresh.lift}
              low={fresh.interval?.low ?? null}
              high={fresh.interval?.high ?? null}
            />
            <span class="number">{points(fresh.lift)}</span>
            {fresh.rates !== null && (
              <span class="small quiet">
                {TEXTS.improve.rates(
                  percent(fresh.rates.against),
                  percent(fresh.rates.version),
                  fresh.against,
                )}
              </span>
            )}
          </span>
        )}
        {of.iteration !== null && (
          <a
            class="small"
            href={hrefOf("iteration", { skill: page.skill, n: fresh?.iteration ?? of.iteration })}
          >
            #{fresh?.iteration ?? of.iteration}
          </a>
        )}
      </div>
    </div>
  );
}

function depthOf(versions: readonly ImprovedVersion[], of: ImprovedVersion): number {
  let depth = 0;
  let parent = of.parent;
  while (parent !== null && depth < 8) {
    const above: ImprovedVersion | undefined = versions.find(({ version }) => version === parent);
    parent = above?.parent ?? null;
    depth++;
  }
  return depth;
}
