import { useEffect, useRef, useState } from "preact/hooks";
import type { RunPage } from "../../../../domain/run-pages.ts";
import type { Evidence, EvidenceSource, Verdict } from "../../../../domain/verdict.ts";
import { evidenceWords, sourceWords } from "../../parts/evidence.ts";
import { Mark } from "../../parts/mark.tsx";
import { Panel } from "../../parts/panel.tsx";
import { adjust, setting } from "../../router.ts";
import { TEXTS } from "../../texts.ts";
import { markOfStatus } from "../../verdicts.ts";
import type { RunFeedback } from "./use-feedback.ts";

interface ChecksProps {
  readonly page: RunPage;
  readonly feedback: RunFeedback;
}

const ORDER: readonly Verdict["status"][] = ["failed", "unscored", "passed"];

/** Every verdict with what it rests on; a quote leads to its place. What passed is folded: failures are what one came for. */
export function Checks({ page, feedback }: ChecksProps) {
  const verdicts = (page.grading?.verdicts ?? []).toSorted(
    (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status),
  );
  const failed = verdicts.filter(({ status }) => status === "failed").length;
  return (
    <Panel title={TEXTS.run.checks(failed, verdicts.length)} flush>
      {verdicts.length === 0 && <p class="empty">{TEXTS.run.notGraded}</p>}
      {verdicts.map((verdict, at) => (
        <CheckView key={`${verdict.checkId} ${verdict.entry ?? at}`} verdict={verdict} feedback={feedback} />
      ))}
    </Panel>
  );
}

function CheckView({ verdict, feedback }: { readonly verdict: Verdict; readonly feedback: RunFeedback }) {
  const chosen = setting("check") === verdict.checkId;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) box.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const [unfolded, setUnfolded] = useState(verdict.status !== "passed");
  const open = unfolded || chosen;
  return (
    <div ref={box} class={chosen ? "check active" : "check"}>
      <Mark kind={markOfStatus(verdict.status)} />
      <button
        type="button"
        class="plain check-title"
        aria-expanded={open}
        onClick={() => {
          if (chosen) adjust({ check: null });
          setUnfolded(!open);
        }}
      >
        <span>{verdict.text}</span> <span class="tag">{TEXTS.decidedBy[verdict.layer]}</span>
        {isPartial(verdict.score) && <span class="quiet small"> {TEXTS.run.score(verdict.score)}</span>}
      </button>
      {open && (
        <div class="evidence">
          <p class="small quiet">{verdict.reason}</p>
          {verdict.evidence.map((piece, at) => (
            <EvidenceView key={at} piece={piece} checkId={verdict.checkId} />
          ))}
          <Agreeing verdict={verdict} feedback={feedback} />
        </div>
      )}
    </div>
  );
}

/** All or nothing says no more than the mark. */
function isPartial(score: number | null): score is number {
  return score !== null && score > 0 && score < 1;
}

function EvidenceView({ piece, checkId }: { readonly piece: Evidence; readonly checkId: string }) {
  if (piece.kind !== "quote") return <p class="quote">{evidenceWords(piece)}</p>;
  return (
    <button type="button" class="quote" onClick={() => jump(piece.source, checkId, piece.text)}>
      “{piece.text}” <span class="quiet small">→ {sourceWords(piece.source)}</span>
    </button>
  );
}

/** Shows the place that a quote was taken from; what is quoted is marked there. */
function jump(source: EvidenceSource, checkId: string, quote: string): void {
  const nowhere = { event: null, file: null, line: null, answer: null };
  if (source.kind === "event") adjust({ ...nowhere, check: checkId, event: source.index, quote });
  else if (source.kind === "file")
    adjust({ ...nowhere, check: checkId, file: source.path, line: source.line, quote });
  else adjust({ ...nowhere, check: checkId, answer: "1", line: source.line, quote });
}

function Agreeing({ verdict, feedback }: { readonly verdict: Verdict; readonly feedback: RunFeedback }) {
  const given = feedback.review?.checks.find(({ checkId }) => checkId === verdict.checkId)?.agrees ?? null;
  const choose = (agrees: boolean) =>
    feedback.judge({
      checkId: verdict.checkId,
      agrees: given === agrees ? null : agrees,
      verdict: verdict.status,
      comment: "",
    });
  return (
    <div class="tools small">
      <button
        type="button"
        class="plain quiet small"
        aria-pressed={given === true}
        onClick={() => choose(true)}
      >
        {TEXTS.run.agree}
      </button>
      <button
        type="button"
        class="plain quiet small"
        aria-pressed={given === false}
        onClick={() => choose(false)}
      >
        {TEXTS.run.disagree}
      </button>
    </div>
  );
}
