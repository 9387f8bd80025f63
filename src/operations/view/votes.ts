import { readFile } from "node:fs/promises";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { PairVote, VotesPage } from "../../domain/pages.ts";
import { UserError } from "../../domain/user-error.ts";
import { editJson, isJsonObject } from "../../store/write/edit-json.ts";
import { notFound, type ViewedIteration } from "./stored.ts";

export async function votesPage({ at, folder }: ViewedIteration): Promise<VotesPage> {
  const text = await readFile(folder.votes, "utf8").catch(() => "{}");
  return { at, votes: votesIn(parsed(text)) };
}

/** One for each pair: who votes again has changed their mind. */
export async function addVote(found: ViewedIteration, given: unknown, now: Date): Promise<VotesPage> {
  const vote = readVote(given);
  for (const trial of [vote.tested, vote.other])
    if (!found.state.runs.has(trial)) throw notFound(`no run ${JSON.stringify(trial)} of it has ended`);
  await editJson(found.folder.votes, (file) => {
    const others = entriesOf(file).filter(
      ({ tested, other }) => tested !== vote.tested || other !== vote.other,
    );
    return { ...file, votes: [...others, { ...vote, timestamp: now.toISOString() }] };
  });
  return votesPage(found);
}

function readVote(given: unknown): PairVote {
  const { tested, other, winner = null } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const areTrials = typeof tested === "string" && typeof other === "string" && tested !== other;
  if (areTrials && (winner === null || winner === tested || winner === other))
    return { tested, other, winner };
  throw new UserError("view/bad-request", "that is no vote for one of two runs");
}

function votesIn(file: Json): readonly PairVote[] {
  if (!isJsonObject(file)) return [];
  return entriesOf(file).flatMap(({ tested, other, winner = null }) =>
    typeof tested === "string" &&
    typeof other === "string" &&
    (winner === null || winner === tested || winner === other)
      ? [{ tested, other, winner }]
      : [],
  );
}

function entriesOf({ votes }: JsonObject): readonly JsonObject[] {
  return Array.isArray(votes) ? (votes as readonly Json[]).filter(isJsonObject) : [];
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
