import { useState } from "preact/hooks";
import type { RunAddress, RunPage } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { hrefOf } from "../../router.ts";
import { isStatic, useAnswer } from "../../source.ts";
import { TEXTS } from "../../texts.ts";
import { feedbackFile } from "./local-feedback.ts";
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
          {isStatic ? TEXTS.feedback.local : TEXTS.saved(feedback.saved)}
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
        value={feedback.text}
        onInput={(event) => feedback.write(event.currentTarget.value)}
      />
      <div class="tools">
        <button
          type="button"
          aria-pressed={done}
          onClick={() => feedback.complete(done ? "in_progress" : "complete")}
        >
          {done ? TEXTS.feedback.isComplete : TEXTS.feedback.complete}
        </button>
        {isStatic && (
          <button type="button" onClick={() => download(feedback.page)}>
            {TEXTS.feedback.download}
          </button>
        )}
      </div>
    </Panel>
  );
}

/** From a saved report, feedback comes back as the file that the results would have. */
function download(page: RunFeedback["page"]): void {
  if (page === null) return;
  const link = document.createElement("a");
  const file = feedbackFile(page, new Date().toISOString());
  link.href = URL.createObjectURL(new Blob([file], { type: "application/json" }));
  link.download = "feedback.json";
  link.click();
  // Some browsers read it a moment later.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
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
