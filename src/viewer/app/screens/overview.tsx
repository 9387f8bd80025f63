import { useState } from "preact/hooks";
import type { IterationLine, OverviewPage, OverviewSkill } from "../../../domain/pages.ts";
import { ask } from "../../api.ts";
import { count, moment, money, percent, points } from "../format.ts";
import { useKeys } from "../keys.ts";
import { FAILURES_KEY, FailuresOnly, onlyFailures } from "../parts/failures-only.tsx";
import { useActive } from "../parts/use-active.ts";
import { Interval, Sparkline } from "../parts/charts.tsx";
import { Mark } from "../parts/mark.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { adjust, go, hrefOf, setting } from "../router.ts";
import { omitted, useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { markOfLine } from "../verdicts.ts";

/** Did it work? One line for each skill. */
export function OverviewScreen() {
  const overview = useAnswer(ask.overview());
  return <Waiting of={overview}>{(page) => <Overview page={page} />}</Waiting>;
}

interface Line {
  readonly skill: OverviewSkill;
  readonly latest: IterationLine | null;
}

function Overview({ page }: { readonly page: OverviewPage }) {
  const words = setting("q").toLowerCase();
  const failures = onlyFailures();
  const lines = page.skills
    .map(lineOf)
    .filter(
      ({ skill }) => skill.name.toLowerCase().includes(words) || skill.skill.toLowerCase().includes(words),
    )
    .filter(({ latest }) => !failures || (latest !== null && markOfLine(latest) !== "passed"))
    .toSorted(ORDERS[setting("sort")] ?? ORDERS["name"]);
  const { active, keys } = useActive(lines.length);
  useKeys({
    ...keys,
    Enter: {
      does: TEXTS.keys.open,
      run: () => {
        const line = lines[active];
        if (line !== undefined) go(hrefOfLine(line));
      },
    },
    ...FAILURES_KEY,
  });
  return (
    <>
      <div class="head">
        <h1>{TEXTS.overview.title}</h1>
        <span class="facts">{page.results}</span>
      </div>
      <div class="tools">
        <input
          type="search"
          placeholder={TEXTS.overview.search}
          aria-label={TEXTS.overview.search}
          value={setting("q")}
          onInput={(event) => adjust({ q: event.currentTarget.value })}
        />
        <FailuresOnly />
        <label class="quiet">
          {TEXTS.overview.sortBy}{" "}
          <select
            value={setting("sort") || "name"}
            onChange={(event) => adjust({ sort: event.currentTarget.value })}
          >
            {Object.entries(TEXTS.overview.orders).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {page.problems.map((problem) => (
        <p key={problem} class="broken">
          {problem}
        </p>
      ))}
      {Object.entries(omitted).map(([what, times]) => (
        <p key={what} class="quiet">
          {TEXTS.overview.omitted(what, times)}
        </p>
      ))}
      {lines.length === 0 ? (
        <p class="empty">{page.skills.length === 0 ? TEXTS.overview.nothing : TEXTS.nothingFound}</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>{TEXTS.overview.columns.skill}</th>
                <th>{TEXTS.overview.columns.verdict}</th>
                <th class="number">{TEXTS.overview.columns.pass}</th>
                <th>{TEXTS.overview.columns.lift}</th>
                <th>{TEXTS.overview.columns.trend}</th>
                <th class="number">{TEXTS.overview.columns.loaded}</th>
                <th class="number">{TEXTS.overview.columns.cost}</th>
                <th class="number">{TEXTS.overview.columns.runs}</th>
                <th>{TEXTS.overview.columns.agents}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, at) => (
                <SkillRows key={line.skill.skill} line={line} active={at === active} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function SkillRows({ line, active }: { readonly line: Line; readonly active: boolean }) {
  const { skill, latest } = line;
  const [open, setOpen] = useState(false);
  const agents = [...new Set(skill.iterations.map((one) => one.harness))];
  return (
    <>
      <tr class={active ? "active" : ""} aria-current={active}>
        <td>
          <a href={hrefOfLine(line)}>
            <strong>{skill.name}</strong>
          </a>
          <div class="small">
            <button
              type="button"
              class="plain small quiet disclose"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {open ? "▾" : "▸"} {TEXTS.overview.iterations(skill.iterations.length)}
            </button>
            {skill.improved && (
              <a href={hrefOf("improve", { skill: skill.skill })}>{TEXTS.screens.improve}</a>
            )}
          </div>
        </td>
        <LineCells line={latest} />
        <td>
          <Sparkline values={trendOf(skill)} />
        </td>
        <CountCells line={latest} />
        <td class="quiet">{agents.join(", ")}</td>
      </tr>
      {open &&
        skill.iterations.map((one) => (
          <tr key={one.n}>
            <td class="nested">
              <a href={hrefOf("iteration", { skill: skill.skill, n: one.n })}>#{one.n}</a>{" "}
              <span class="quiet">{TEXTS.purposes[one.purpose]}</span>
              {one.changed.length > 0 && <div class="small quiet">{TEXTS.overview.changed(one.changed)}</div>}
            </td>
            <LineCells line={one} />
            <td class="quiet small">{moment(one.at)}</td>
            <CountCells line={one} />
            <td class="quiet">{[one.harness, one.model].filter(Boolean).join(" · ")}</td>
          </tr>
        ))}
    </>
  );
}

function LineCells({ line }: { readonly line: IterationLine | null }) {
  if (line === null)
    return (
      <td colSpan={3} class="quiet">
        {TEXTS.overview.noVerdict}
      </td>
    );
  const { passRate, lift } = line;
  return (
    <>
      <td class="words">
        <span class="arm">
          <Mark kind={markOfLine(line)} />
          <span>
            {line.progress === "complete"
              ? (line.headline ?? TEXTS.overview.noVerdict)
              : TEXTS.progress[line.progress]}
          </span>
        </span>
      </td>
      <td class="number">
        {percent(passRate === null || passRate.total === 0 ? null : passRate.passed / passRate.total)}
        <div class="small quiet">{TEXTS.span(passRate?.interval ?? null)}</div>
      </td>
      <td>
        {lift === null ? (
          <span class="quiet">–</span>
        ) : (
          <span class="arm">
            <Interval
              value={lift.lift}
              low={lift.interval?.low ?? null}
              high={lift.interval?.high ?? null}
              width={120}
            />
            <span class="number">{points(lift.lift)}</span>
          </span>
        )}
      </td>
    </>
  );
}

function CountCells({ line }: { readonly line: IterationLine | null }) {
  const loaded = line?.loaded ?? null;
  return (
    <>
      <td class="number">{loaded === null ? "–" : `${loaded.loaded}/${loaded.runs}`}</td>
      <td class="number">{money(line?.costUsd)}</td>
      <td class="number">{count(line?.runs)}</td>
    </>
  );
}

function lineOf(skill: OverviewSkill): Line {
  const spoken = skill.iterations.find((one) => one.n === skill.latest);
  return { skill, latest: spoken ?? skill.iterations[0] ?? null };
}

function hrefOfLine({ skill, latest }: Line): string {
  if (latest === null) return hrefOf("overview");
  const screen = latest.progress === "running" ? "live" : "iteration";
  return hrefOf(screen, { skill: skill.skill, n: latest.n });
}

/** Oldest first, of the iterations that speak for the skill. */
function trendOf({ iterations }: OverviewSkill): readonly (number | null)[] {
  return iterations
    .filter(({ purpose }) => purpose === "run" || purpose === "bench")
    .map(({ passRate }) =>
      passRate === null || passRate.total === 0 ? null : passRate.passed / passRate.total,
    )
    .toReversed();
}

const WORST: readonly string[] = ["failed", "unsettled", "left-out", "passed"];
const ORDERS: Readonly<Record<string, (a: Line, b: Line) => number>> = {
  name: (a, b) => a.skill.name.localeCompare(b.skill.name, "en"),
  worst: (a, b) => rank(a) - rank(b),
  lift: (a, b) => (a.latest?.lift?.lift ?? 2) - (b.latest?.lift?.lift ?? 2),
  newest: (a, b) => (b.latest?.at ?? "").localeCompare(a.latest?.at ?? ""),
  cost: (a, b) => (b.latest?.costUsd ?? 0) - (a.latest?.costUsd ?? 0),
};

function rank({ latest }: Line): number {
  return latest === null ? WORST.length : WORST.indexOf(markOfLine(latest));
}
