import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { RunPage, TimelineIndex } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { bytes } from "../../format.ts";
import { useKeys } from "../../keys.ts";
import { Panel } from "../../parts/panel.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { adjust, setting } from "../../router.ts";
import { useAnswer } from "../../source.ts";
import { useBeginning } from "./use-beginning.ts";
import { TEXTS } from "../../texts.ts";
import { useSearch } from "../iteration/search.tsx";
import { Step } from "./step.tsx";
import { TokenStrip } from "./token-strip.tsx";
import { usePages } from "./use-pages.ts";

/** What can be hidden, by the letters of the index. */
const GROUPS: Readonly<Record<keyof typeof TEXTS.timeline.groups, readonly string[]>> = {
  messages: ["u", "a"],
  thinking: ["t"],
  tools: ["c", "r", "x"],
  errors: ["x", "e"],
  usage: ["g"],
};

/** What the agent said and did, in order. Only what is in sight is asked for and drawn. */
export function Timeline({ page }: { readonly page: RunPage }) {
  const index = useAnswer(ask.timelineIndex(page.at));
  const beginning = useBeginning(page.at, index.state === "loading");
  if (index.state === "loading" && beginning !== null)
    return <TimelineView page={page} index={beginning} counted={false} />;
  return <Waiting of={index}>{(answer) => <TimelineView page={page} index={answer} />}</Waiting>;
}

function TimelineView({
  page,
  index,
  counted = true,
}: {
  readonly page: RunPage;
  readonly index: TimelineIndex;
  /** False: it is only the beginning; how much follows is not known yet. */
  readonly counted?: boolean;
}) {
  const hidden = new Set((setting("hide") || "usage").split(","));
  const shown = useMemo(() => shownEvents(index.kinds, hidden), [index, setting("hide")]);
  const chosen = setting("event") === "" ? null : Number(setting("event"));
  const { eventAt, want } = usePages(page.at, index.pageSize);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rowOf = (event: number | null) => (event === null ? -1 : shown.indexOf(event));
  const active = rowOf(chosen);
  const move = (by: number) => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, active + by))];
    if (next !== undefined) adjust({ event: next, quote: null });
  };
  const toggle = (event: number) =>
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(event)) next.add(event);
      return next;
    });
  const found = useSearch({ ...page.at }, setting("q"));
  const jumpToHit = () => {
    const next = found.hits.find((hit) => hit.event > (chosen ?? -1)) ?? found.hits[0];
    if (next !== undefined) adjust({ event: next.event, quote: setting("q"), hide: "none" });
  };
  useKeys({
    j: { does: TEXTS.keys.down, run: () => move(1) },
    k: { does: TEXTS.keys.up, run: () => move(-1) },
    Enter: {
      does: TEXTS.keys.unfold,
      run: () => {
        if (chosen !== null) toggle(chosen);
      },
    },
    n: { does: TEXTS.keys.nextHit, run: jumpToHit },
  });
  useEffect(() => {
    if (chosen !== null && active < 0 && chosen < index.kinds.length) adjust({ hide: "none" });
  }, [chosen, active]);
  const onRange = useCallback(
    (first: number, last: number) => want(shown[first] ?? 0, shown[last] ?? 0),
    [shown, want],
  );
  return (
    <Panel
      title={TEXTS.timeline.title}
      facts={counted ? TEXTS.timeline.facts(index.events, bytes(index.bytes)) : TEXTS.timeline.counting}
      name="timeline"
      flush
      tools={<TimelineTools hidden={hidden} kinds={index.kinds} found={found.last} onNext={jumpToHit} />}
    >
      <TokenStrip index={index} />
      {index.problems.map((problem) => (
        <p key={problem} class="row quiet">
          {problem}
        </p>
      ))}
      <div>
        <VirtualList
          count={shown.length}
          estimate={29}
          fit="max(320px, 100vh - 240px)"
          label={TEXTS.timeline.label}
          active={active}
          version={[...hidden].join(",")}
          onRange={onRange}
          row={(row) => {
            const event = shown[row] ?? 0;
            return (
              <Step
                page={page}
                index={event}
                of={eventAt(event)}
                active={event === chosen}
                open={opened.has(event) || (event === chosen && setting("quote") !== "")}
                quote={event === chosen || setting("q") !== "" ? setting("quote") || setting("q") : ""}
                onToggle={() => toggle(event)}
              />
            );
          }}
        />
      </div>
    </Panel>
  );
}

function TimelineTools({
  hidden,
  kinds,
  found,
  onNext,
}: {
  readonly hidden: ReadonlySet<string>;
  readonly kinds: string;
  readonly found: { readonly count: number; readonly done: boolean } | null;
  readonly onNext: () => void;
}) {
  const toggle = (group: string) => {
    const next = new Set(hidden);
    next.delete("none");
    if (!next.delete(group)) next.add(group);
    adjust({ hide: next.size === 0 ? "none" : [...next].join(",") });
  };
  return (
    <div class="tools">
      {Object.entries(TEXTS.timeline.groups).map(([group, label]) =>
        GROUPS[group as keyof typeof GROUPS].some((letter) => kinds.includes(letter)) ? (
          <button
            key={group}
            type="button"
            class="plain small"
            aria-pressed={!hidden.has(group)}
            onClick={() => toggle(group)}
          >
            {label}
          </button>
        ) : null,
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onNext();
        }}
      >
        <input
          type="search"
          placeholder={TEXTS.timeline.search}
          aria-label={TEXTS.timeline.search}
          value={setting("q")}
          class="short"
          onInput={(event) => adjust({ q: event.currentTarget.value })}
        />
      </form>
      {setting("q") !== "" && found !== null && (
        <span class="small quiet" role="status">
          {TEXTS.timeline.hits(found.count, found.done)}
        </span>
      )}
    </div>
  );
}

function shownEvents(kinds: string, hidden: ReadonlySet<string>): readonly number[] {
  const letters = new Set(Object.entries(GROUPS).flatMap(([group, of]) => (hidden.has(group) ? of : [])));
  if (!hidden.has("errors")) for (const letter of GROUPS.errors) letters.delete(letter);
  const shown: number[] = [];
  for (let at = 0; at < kinds.length; at++) if (!letters.has(kinds[at] ?? "")) shown.push(at);
  return shown;
}
