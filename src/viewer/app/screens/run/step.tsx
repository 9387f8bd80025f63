import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RunPage, TimelineEvent } from "../../../../domain/run-pages.ts";
import type { TranscriptEvent } from "../../../../domain/transcript.ts";
import type { Evidence } from "../../../../domain/verdict.ts";
import { ask } from "../../../api.ts";
import { bytes } from "../../format.ts";
import { JsonTree } from "../../parts/json-tree.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Quoted } from "../../parts/quoted.tsx";
import { adjust } from "../../router.ts";
import { load } from "../../source.ts";
import { TEXTS } from "../../texts.ts";
import { markOfStatus } from "../../verdicts.ts";
import { firstLine, summaryOf } from "./summary-of.ts";

interface StepProps {
  readonly page: RunPage;
  readonly index: number;
  /** Undefined: on its way. */
  readonly of: TimelineEvent | undefined;
  readonly active: boolean;
  readonly open: boolean;
  readonly quote: string;
  readonly onToggle: () => void;
}

/** One event: a line; unfolded, all of it. It names the checks that cite it. */
export function Step({ page, index, of, active, open, quote, onToggle }: StepProps) {
  const [whole, setWhole] = useState<TranscriptEvent | null>(null);
  if (of === undefined)
    return (
      <div class="step">
        <span class="at">{index}</span>
        <span />
        <span class="quiet">…</span>
      </div>
    );
  const event = whole ?? of.event;
  if (event === null)
    return (
      <div class="step error">
        <span class="at">{index}</span>
        <span class="sign">!</span>
        <span class="words">{TEXTS.timeline.unreadable}</span>
      </div>
    );
  const { sign, label, text } = summaryOf(event);
  const showAll = () => {
    load(ask.event(page.at, index)).then(setWhole, () => setWhole(of.event));
  };
  return (
    <div class={`step ${failed(event) ? "error" : event.kind} ${active ? "active" : ""}`}>
      <span class="at">{index}</span>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <div class="words">
        <button type="button" class="plain step-line" aria-expanded={open} onClick={onToggle}>
          {label !== "" && <strong>{label} </strong>}
          {event.agent !== null && <span class="tag">{event.agent}</span>}
          <span>{open ? (label === "" ? TEXTS.timeline.kinds[event.kind] : "") : firstLine(text)}</span>
        </button>
        {open && (
          <div class="detail" tabIndex={0}>
            <Detail event={event} quote={quote} />
            {of.cut > 0 && whole === null && (
              <button type="button" onClick={showAll}>
                {TEXTS.timeline.showAll(bytes(of.cut))}
              </button>
            )}
          </div>
        )}
      </div>
      <span class="side-notes">{of.cited.length > 0 && <Cited page={page} index={index} />}</span>
    </div>
  );
}

function Detail({
  event,
  quote,
}: {
  readonly event: TranscriptEvent;
  readonly quote: string;
}): ComponentChildren {
  switch (event.kind) {
    case "message":
    case "thinking":
      return (
        <pre>
          <Quoted text={event.text} quote={quote} />
        </pre>
      );
    case "tool-call":
      return <JsonTree value={event.input} quote={quote} />;
    case "tool-result":
      return (
        <pre>
          <Quoted text={event.output} quote={quote} />
        </pre>
      );
    default:
      return (
        <pre>
          <Quoted text={summaryOf(event).text} quote={quote} />
        </pre>
      );
  }
}

/** The checks that quote this very step; one that found nothing anywhere would stand at every step. */
function Cited({ page, index }: { readonly page: RunPage; readonly index: number }) {
  const verdicts =
    page.grading?.verdicts.filter(({ evidence }) => evidence.some((piece) => quotes(piece, index))) ?? [];
  return (
    <span class="marks" aria-label={TEXTS.timeline.cited(verdicts.length)}>
      {verdicts.slice(0, 6).map((verdict, at) => (
        <button
          key={at}
          type="button"
          class="plain"
          title={verdict.text}
          aria-label={TEXTS.timeline.citedBy(verdict.text)}
          onClick={() => adjust({ check: verdict.checkId })}
        >
          <Mark kind={markOfStatus(verdict.status)} words={verdict.text} />
        </button>
      ))}
      {verdicts.length > 6 && <span class="small quiet">+{verdicts.length - 6}</span>}
    </span>
  );
}

function failed(event: TranscriptEvent): boolean {
  return event.kind === "error" || (event.kind === "tool-result" && (event.isError || event.denied));
}

function quotes(piece: Evidence, index: number): boolean {
  return piece.kind === "quote" && piece.source.kind === "event" && piece.source.index === index;
}
