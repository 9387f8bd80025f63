import type { IterationAddress, PairVote, VotesPage } from "../../../../domain/pages.ts";
import { ask } from "../../../api.ts";
import { isStatic } from "../../source.ts";
import { outboxOf, type SavedState } from "../../outbox.ts";
import type { BlindPair, BlindVote, Choice } from "./pairs.ts";

interface Votes {
  /** Null: not known yet. */
  readonly votes: readonly BlindVote[] | null;
  readonly saved: SavedState;
  readonly give: (pair: BlindPair, choice: Choice) => void;
}

/** Votes lie beside the results; those that are not there yet are kept in this browser. */
export function useVotes(at: IterationAddress, pairs: readonly BlindPair[]): Votes {
  const outbox = outboxOf<PairVote, VotesPage>({ request: ask.votes(at), nameOf: ({ tested }) => tested });
  const saved = outbox.saved.value;
  const page = outbox.page.value;
  const latest = new Map([...(page?.votes ?? []), ...outbox.waiting()].map((vote) => [vote.tested, vote]));
  const isUnknown = page === null && latest.size === 0 && saved.state !== "failed" && !isStatic;
  return {
    votes: isUnknown ? null : pairs.flatMap((pair) => choiceIn(pair, latest.get(pair.id))),
    saved,
    give: (pair, choice) => {
      const other = pair.testedLeft ? pair.right : pair.left;
      const winner = choice === "tie" ? null : choice === "left" ? pair.left : pair.right;
      outbox.put({ tested: pair.id, other, winner });
    },
  };
}

function choiceIn(pair: BlindPair, vote: PairVote | undefined): readonly BlindVote[] {
  if (vote === undefined) return [];
  const choice = vote.winner === null ? "tie" : vote.winner === pair.left ? "left" : "right";
  return [{ pair: pair.id, choice }];
}
