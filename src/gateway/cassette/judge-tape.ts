import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { parseLine } from "../../lib/loose.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { memo } from "../../lib/memo.ts";
import { removeLeftovers } from "../../lib/remove-leftovers.ts";
import { noncesIn, unlikelyWord } from "../../lib/nonce.ts";
import { scrubbed } from "../../lib/scrub.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { KeptReply } from "../../wires/cassette.ts";
import type { ModelCall, Tape } from "../call.ts";
import { foldTexts, unfoldTexts } from "./fold.ts";
import { collector } from "./recorder.ts";
import { inForm, respelledReply, writeReply } from "./reply.ts";
import { sideAnswer } from "./side-answer.ts";
import { readIfThere } from "./store.ts";
import type { SpelledPlaces } from "./spelling.ts";
import { type Heard, listener } from "./surroundings.ts";

/** Questions to judges, each known by what it says: the same question gets the same answer, whoever asks it. */
export interface JudgeTape extends Tape {
  /** Questions without a recorded answer, by their first words. */
  readonly misses: readonly string[];
  /** Resolves when everything that passed is on disk. */
  settled(): Promise<void>;
}

export function judgeTape(options: {
  readonly folder: string;
  readonly mode: "record" | "replay" | "auto";
  readonly mask: SecretMask;
}): JudgeTape {
  const { folder, mode, mask } = options;
  const ears = listener(mask, wordsOfChance);
  const asked = new Map<string, number>();
  const misses: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  const swept = memo(removeLeftovers);
  const repliesTo = memo(async (key: string): Promise<KeptReply[]> =>
    mode === "record" ? [] : readReplies(pathOf(folder, key)),
  );
  const keep = async (earlier: Promise<void>, heard: Heard, reply: KeptReply): Promise<void> => {
    await earlier;
    const key = keyOf(heard);
    const replies = await repliesTo(key);
    replies.push(reply);
    await swept(join(folder, JUDGES));
    await writeReplies(pathOf(folder, key), heard, replies);
  };
  return {
    misses,
    settled: () => writing,
    async answer(call) {
      if (mode === "record") return null;
      if (call.operation !== "answer") return mode === "auto" ? null : sideAnswer(call);
      const heard = ears.hear(call);
      const key = keyOf(heard);
      const turn = asked.get(key) ?? 0;
      asked.set(key, turn + 1);
      const replies = await repliesTo(key);
      // Asked more often than it was recorded, as after answers from a cache: the last answer holds.
      const found = replies[turn] ?? (mode === "replay" ? replies.at(-1) : undefined);
      const reply = found === undefined ? null : inForm(found, call);
      if (reply !== null) return served(call, reply, heard);
      if (mode === "auto") return null;
      misses.push(beginning(heard));
      throw new Error(`replay miss: no answer was recorded to this question: ${beginning(heard)}`);
    },
    ...(mode === "replay"
      ? {}
      : {
          observe(call) {
            const heard = ears.hear(call);
            return collector(call, (reply) => {
              if (call.operation !== "answer") return;
              const kept = respelledReply(reply, heard.spelling.toTape);
              writing = keep(writing, heard, kept);
            });
          },
        }),
  };
}

/** Every question has markers of its own; the recorded answer is to whichever. */
function wordsOfChance(body: string): SpelledPlaces {
  const nonces = noncesIn(body);
  return nonces.length === 0 ? {} : { NONCE: nonces, WORD: nonces.map(unlikelyWord) };
}

/** Everything that is asked, but for what time and chance decide: a judge has no other surroundings that could differ. */
function keyOf({ pieces, turns }: Heard): string {
  const said = pieces
    .filter(({ kind }) => kind !== "soft")
    .map((piece) => ({ ...piece, text: scrubbed(piece.text) }));
  return createHash("sha256")
    .update(JSON.stringify([turns, said]))
    .digest("hex")
    .slice(0, 24);
}

const JUDGES = "judges";

function pathOf(folder: string, key: string): string {
  return join(folder, JUDGES, `${key}.jsonl`);
}

function beginning({ pieces }: Heard): string {
  const question = pieces.find(({ label }) => label === "message 1")?.text ?? "";
  return JSON.stringify(question.slice(0, 160));
}

async function readReplies(path: string): Promise<KeptReply[]> {
  const text = await readIfThere(path);
  const lines = (text ?? "").split("\n").map(parseLine);
  return lines.flatMap((line) =>
    line !== null && "reply" in line
      ? [unfoldTexts(line as Parameters<typeof unfoldTexts>[0]) as unknown as KeptReply]
      : [],
  );
}

async function writeReplies(path: string, heard: Heard, replies: readonly KeptReply[]): Promise<void> {
  const model = heard.pieces.find(({ label }) => label === "the model")?.text ?? "";
  const lines = [{ cassette: 1, judge: model, question: beginning(heard) }, ...replies.map(foldTexts)];
  await makeFolder(dirname(path));
  await writeFileAtomic(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function served(call: ModelCall, reply: KeptReply, { spelling }: Heard) {
  const spelled = respelledReply(reply, spelling.fromTape);
  const { contentType, body } = writeReply(call.wire, spelled);
  return { status: reply.status, headers: { "content-type": contentType }, body };
}
