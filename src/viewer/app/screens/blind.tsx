import { useMemo, useState } from "preact/hooks";
import type { IterationPage } from "../../../domain/pages.ts";
import type { RunFile, RunPage } from "../../../domain/run-pages.ts";
import { ask } from "../../api.ts";
import { useKeys } from "../keys.ts";
import { Boundary } from "../parts/boundary.tsx";
import { copy } from "../parts/copy.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Panel } from "../parts/panel.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { go, hrefOf } from "../router.ts";
import { isStatic, useAnswer } from "../source.ts";
import { TEXTS } from "../texts.ts";
import { addressed } from "./iteration.tsx";
import { agreementOf, type BlindPair, blindPairs, type BlindVote, type Choice } from "./blind/pairs.ts";
import { useVotes } from "./blind/use-votes.ts";
import { Preview } from "./run/files.tsx";

/** Which answer is better? Whose it is, is not shown until the vote is given. */
export function BlindScreen() {
  const page = useAnswer(ask.iteration(addressed()));
  return <Waiting of={page}>{(answer) => <BlindView page={answer} />}</Waiting>;
}

function BlindView({ page }: { readonly page: IterationPage }) {
  const pairs = useMemo(() => blindPairs(page), [page]);
  const kept = useVotes(page.at, pairs);
  const votes = kept.votes ?? [];
  const given = new Map(votes.map((vote) => [vote.pair, vote]));
  const open = pairs.findIndex((pair) => !given.has(pair.id));
  const [chosen, setAt] = useState<number | null>(null);
  const at = chosen ?? Math.max(0, open);
  const pair = pairs[at];
  const vote = (choice: Choice) => {
    if (pair === undefined || kept.votes === null) return;
    kept.give(pair, choice);
    setAt(Math.min(pairs.length - 1, at + 1));
  };
  useKeys({
    "1": { does: TEXTS.blind.left, run: () => vote("left") },
    "2": { does: TEXTS.blind.right, run: () => vote("right") },
    "0": { does: TEXTS.blind.tie, run: () => vote("tie") },
    j: { does: TEXTS.keys.down, run: () => setAt(Math.min(pairs.length - 1, at + 1)) },
    k: { does: TEXTS.keys.up, run: () => setAt(Math.max(0, at - 1)) },
    Escape: { does: TEXTS.keys.back, run: () => go(hrefOf("iteration", { ...page.at })) },
  });
  if (pair === undefined) return <p class="empty">{TEXTS.blind.nothing}</p>;
  if (kept.votes === null && !isStatic) return <p class="empty">{TEXTS.loading}</p>;
  const agreement = agreementOf(pairs, votes);
  return (
    <>
      <div class="head">
        <h1>{TEXTS.blind.title}</h1>
        <span class="facts" role="status">
          {TEXTS.blind.progress(votes.length, pairs.length)} ·{" "}
          {TEXTS.blind.agreement(agreement.judge, agreement.checks)}
          {agreement.wins !== null &&
            ` · ${TEXTS.blind.wins(agreement.wins, agreement.losses, agreement.ties)}`}
          {votes.length > 0 && !isStatic && ` · ${TEXTS.saved(kept.saved)}`}
        </span>
      </div>
      <p class="quiet">{pair.prompt}</p>
      <div class="blind" key={pair.id}>
        <Side page={page} trial={pair.left} title="1" />
        <Side page={page} trial={pair.right} title="2" />
      </div>
      <div class="tools ballot">
        <button type="button" onClick={() => vote("left")}>
          <kbd>1</kbd> {TEXTS.blind.left}
        </button>
        <button type="button" onClick={() => vote("tie")}>
          <kbd>0</kbd> {TEXTS.blind.tie}
        </button>
        <button type="button" onClick={() => vote("right")}>
          <kbd>2</kbd> {TEXTS.blind.right}
        </button>
        <span class="grow" />
        <Given pair={pair} vote={given.get(pair.id)} />
        <button
          type="button"
          onClick={() => void copy(JSON.stringify({ ...page.at, votes: told(pairs, votes) }, null, 2))}
        >
          {TEXTS.blind.copy}
        </button>
      </div>
    </>
  );
}

function Side({
  page,
  trial,
  title,
}: {
  readonly page: IterationPage;
  readonly trial: string;
  readonly title: string;
}) {
  const run = useAnswer(ask.run({ ...page.at, trial }));
  return (
    <Panel title={title} flush>
      <div class="shown" tabIndex={0}>
        <Waiting of={run}>
          {(answer: RunPage) => (
            <>
              <Markdown text={answer.answer?.text ?? TEXTS.blind.noAnswer} />
              {answer.files.filter(isMade).map((file) => (
                <section key={file.path} class="made" aria-label={file.path}>
                  <h3 class="mono">{file.path}</h3>
                  <Boundary of={file.path}>
                    <Preview page={answer} file={file} />
                  </Boundary>
                </section>
              ))}
            </>
          )}
        </Waiting>
      </div>
    </Panel>
  );
}

function isMade({ area, change, kept }: RunFile): boolean {
  return area === "outputs" && change !== "deleted" && kept;
}

/** After the vote it may be known. */
function Given({ pair, vote }: { readonly pair: BlindPair; readonly vote: BlindVote | undefined }) {
  if (vote === undefined) return null;
  return (
    <span class="quiet">{TEXTS.blind.given(TEXTS.blind[vote.choice], TEXTS.variants[pair.leftVariant])}</span>
  );
}

function told(pairs: readonly BlindPair[], votes: readonly BlindVote[]) {
  return votes.flatMap((vote) => {
    const pair = pairs.find(({ id }) => id === vote.pair);
    if (pair === undefined) return [];
    const winner = vote.choice === "tie" ? null : vote.choice === "left" ? pair.left : pair.right;
    return [{ left: pair.left, right: pair.right, choice: vote.choice, winner }];
  });
}
