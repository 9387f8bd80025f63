import { useState } from "preact/hooks";
import type { RunAddress, RunPage } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { hrefOf } from "../../router.ts";
import { isStatic, useAnswer } from "../../source.ts";
import { TEXTS } from "../../texts.ts";
import type { RunFeedback } from "./use-feedback.ts";

/** What the reader thinks of the run; `improve` and the judge's calibration read it. */
export function FeedbackBox({ page, feedback }: { readonly page: RunPage; readonly feedback: RunFeedback }) {
  if (feedback.page === null) return null;
  const done = feedback.page.status === "complete";
  return (
    <Panel
      title={TEXTS.feedback.title}
      tools={
        <span class="small quiet" role="status">
          {isStatic ? "" : TEXTS.saved(feedback.saved)}
        </span>
      }
    >
      {feedback.previous !== null && feedback.previous.feedback !== "" && (
        <p class="quote small">
          <span class="quiet">{TEXTS.feedback.previous}</span> {feedback.previous.feedback}
        </p>
      )}
      {page.before !== null && !isStatic && <Before at={page.before} />}
      <textarea
        key={page.feedbackId}
        rows={3}
        aria-label={TEXTS.feedback.label}
        placeholder={TEXTS.feedback.label}
        readOnly={isStatic}
        value={feedback.text}
        onInput={(event) => feedback.write(event.currentTarget.value)}
      />
      {!isStatic && (
        <button
          type="button"
          aria-pressed={done}
          onClick={() => feedback.complete(done ? "in_progress" : "complete")}
        >
          {done ? TEXTS.feedback.isComplete : TEXTS.feedback.complete}
        </button>
      )}
    </Panel>
  );
}

/** What the same run answered in the iteration before, for whoever wonders whether it got better. */
function Before({ at }: { readonly at: RunAddress }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="small">{TEXTS.feedback.before(at.n)}</summary>
      {open && <BeforeAnswer at={at} />}
    </details>
  );
}

function BeforeAnswer({ at }: { readonly at: RunAddress }) {
  const run = useAnswer(ask.run(at));
  return (
    <Waiting of={run}>
      {({ answer }) => (
        <div class="quote">
          <Markdown text={answer?.text ?? TEXTS.blind.noAnswer} />
          <a class="small" href={hrefOf("run", { ...at })}>
            {TEXTS.feedback.openBefore}
          </a>
        </div>
      )}
    </Waiting>
  );
}
