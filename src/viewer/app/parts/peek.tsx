import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { RunAddress } from "../../../domain/run-pages.ts";
import type { Verdict } from "../../../domain/verdict.ts";
import { ask } from "../../api.ts";
import { load } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { evidenceWords } from "./evidence.ts";

interface PeekProps {
  readonly at: RunAddress;
  readonly checkId: string;
  readonly children: ComponentChildren;
}

const SOON_MS = 150;

/** Shows what a verdict rests on while the pointer or the focus is on it. */
export function Peek({ at, checkId, children }: PeekProps) {
  const [verdicts, setVerdicts] = useState<readonly Verdict[] | null>(null);
  const timer = useRef(0);
  const show = () => {
    timer.current = window.setTimeout(() => {
      load(ask.run(at)).then(
        (page) => setVerdicts(page.grading?.verdicts.filter((one) => one.checkId === checkId) ?? []),
        () => setVerdicts([]),
      );
    }, SOON_MS);
  };
  const hide = () => {
    window.clearTimeout(timer.current);
    setVerdicts(null);
  };
  return (
    <span class="peek" onMouseEnter={show} onMouseLeave={hide} onFocusIn={show} onFocusOut={hide}>
      {children}
      {verdicts !== null && (
        <span class="peeked" role="tooltip">
          {verdicts.length === 0 && TEXTS.noEvidence}
          {verdicts.slice(0, 3).map((verdict, nth) => (
            <span key={nth}>
              <b>{verdict.reason}</b>
              {verdict.evidence.slice(0, 2).map((piece, which) => (
                <q key={which}>{evidenceWords(piece).slice(0, 300)}</q>
              ))}
            </span>
          ))}
        </span>
      )}
    </span>
  );
}
