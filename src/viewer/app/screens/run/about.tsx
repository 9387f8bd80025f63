import { useEffect, useRef } from "preact/hooks";
import type { RunPage } from "../../../../domain/run-pages.ts";
import { count, money, seconds } from "../../format.ts";
import { Lines } from "../../parts/lines.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Panel } from "../../parts/panel.tsx";
import { setting, adjust } from "../../router.ts";
import { TEXTS } from "../../texts.ts";

/** The text that text checks read. */
export function Answer({ page }: { readonly page: RunPage }) {
  const box = useRef<HTMLDivElement>(null);
  const cited = setting("answer") === "1";
  const line = setting("line") === "" ? null : Number(setting("line"));
  const asText = cited || setting("as") === "text";
  useEffect(() => {
    if (cited) box.current?.scrollIntoView({ block: "nearest" });
  }, [cited, line]);
  const { answer } = page;
  if (answer === null) return null;
  return (
    <div ref={box}>
      <Panel
        title={TEXTS.run.answer}
        flush
        tools={
          <button
            type="button"
            class="plain quiet"
            aria-pressed={asText}
            onClick={() => adjust({ answer: null, as: asText ? null : "text" })}
          >
            {TEXTS.run.asText}
          </button>
        }
      >
        <div class="shown">
          {asText ? (
            <Lines text={answer.text} lit={cited ? line : null} quote={cited ? setting("quote") : ""} />
          ) : (
            <Markdown text={answer.text} />
          )}
          {answer.cut > 0 && <p class="quiet">{TEXTS.cut(answer.cut)}</p>}
        </div>
      </Panel>
    </div>
  );
}

/** What it took, what was asked, and what else is known. */
export function About({ page }: { readonly page: RunPage }) {
  const { run, grading } = page;
  const facts: readonly (readonly [string, string | null])[] = [
    [TEXTS.about.time, seconds(run.durationMs)],
    [TEXTS.about.cost, money(run.usage.costUsd)],
    [TEXTS.about.input, count(run.usage.inputTokens)],
    [TEXTS.about.output, count(run.usage.outputTokens)],
    [TEXTS.about.cacheRead, count(run.usage.cacheReadTokens)],
    [TEXTS.about.cacheWrite, count(run.usage.cacheWriteTokens)],
    [TEXTS.about.judge, grading === null ? null : (grading.judgeModel ?? TEXTS.about.byCode)],
    [TEXTS.about.judgeCost, grading === null ? null : money(grading.usage.costUsd)],
    [TEXTS.about.steps, count(run.steps)],
    [
      TEXTS.about.tools,
      Object.entries(run.toolCalls)
        .map(([tool, times]) => `${tool} ${times}`)
        .join(", ") || null,
    ],
    [TEXTS.about.toolErrors, run.toolErrors === 0 ? null : count(run.toolErrors)],
    [TEXTS.about.sandbox, run.conditions.sandbox],
    [TEXTS.about.attempts, page.attempts > 1 ? count(page.attempts) : null],
    [TEXTS.about.session, run.sessionId],
    [TEXTS.about.reused, run.reusedFrom],
    [TEXTS.about.expected, page.expected],
  ];
  const notes = [
    ...run.notes,
    ...(run.cut ?? []).map(({ reason }) => reason),
    ...run.trespasses.map(({ what, became }) => `${what}: ${became}`),
    ...(grading?.claims
      .filter(({ verified }) => !verified)
      .map(({ claim, evidence }) => `${claim} ${evidence}`) ?? []),
  ];
  return (
    <Panel title={TEXTS.about.title}>
      <dl class="facts-list">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <>
              <dt key={name}>{name}</dt>
              <dd key={`${name} value`}>{value}</dd>
            </>
          ),
        )}
      </dl>
      {notes.map((note) => (
        <p key={note} class="small quiet">
          {note}
        </p>
      ))}
    </Panel>
  );
}
