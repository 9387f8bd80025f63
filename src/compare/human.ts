import { mkdir, readFile } from "node:fs/promises";
import type { Bounds } from "../domain/benchmark.ts";
import type { AsJson } from "../domain/json.ts";
import { UserError } from "../domain/user-error.ts";
import type { EvidencePack } from "../grade/evidence/pack.ts";
import { excerptText } from "../grade/evidence/passage.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { listAt, textAt, numberOrNull } from "../lib/loose.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { kappaByOutput } from "../stats/cluster-bootstrap.ts";
import type { ComparisonFolder } from "../store/layout.ts";
import { balancedSides, otherOf } from "./assignment.ts";
import { pairHider } from "./blind.ts";
import type { BlindOutcome } from "./outcome.ts";
import type { Contender, Pair } from "./pair.ts";
import { blindPack, taskText } from "./question.ts";

export interface HumanRequest {
  readonly pairs: readonly Pair[];
  readonly versions: Readonly<Record<Contender, string>>;
  readonly markers: readonly string[];
  readonly seed: number;
  readonly folder: ComparisonFolder;
  readonly mask: SecretMask;
  /** Shows a text and gets one line. */
  readonly ask: (text: string) => Promise<string>;
}

/** What a person thinks of one pair. */
export interface HumanAnswer {
  readonly case_id: string;
  readonly repetition: number;
  /** The two runs, so that answers about others are not taken for these. */
  readonly first: string;
  readonly second: string;
  readonly shown_first: Contender;
  readonly winner: Contender | "TIE";
}

export interface HumanAgreement {
  /** Pairs on which both the person and the judges have a say. */
  readonly compared: number;
  readonly agreed: number;
  /** Null: one of the two never varies, or nothing was compared. */
  readonly kappa: number | null;
  /** Of 95 %, on these cases, from resampled pairs of outputs; null with too few of them. */
  readonly kappaInterval: Bounds | null;
}

/** Shows the same blind pairs to a person. What was answered before is not asked again; each answer is kept at once. */
export async function askPerson(request: HumanRequest): Promise<readonly HumanAnswer[]> {
  const { pairs, folder, mask } = request;
  const sides = balancedSides(pairs, ["person", request.seed, request.versions]);
  const before = await readAnswers(folder.human);
  const answers: HumanAnswer[] = [];
  for (const [index, pair] of pairs.entries()) {
    const known = before.find((answer) => isAbout(answer, pair));
    const shown = sides[index] ?? "first";
    const answer =
      known ?? (await askOne(request, pair, { shown, place: `${index + 1} of ${pairs.length}` }));
    if (answer === "stop") break;
    if (answer === null) continue;
    answers.push(answer);
    await mkdir(folder.root, { recursive: true });
    const file: AsJson<{ readonly schema: 1; readonly answers: readonly HumanAnswer[] }> = {
      schema: 1,
      answers: [...answers, ...before.filter((other) => !answers.some((one) => same(one, other)))],
    };
    await writeFileAtomic(folder.human, `${JSON.stringify(mask.json(file), null, 2)}\n`);
  }
  return answers;
}

export function agreementWith(answers: readonly HumanAnswer[], outcome: BlindOutcome): HumanAgreement {
  const both = answers.flatMap((answer) => {
    const judged = outcome.pairs.find(
      (pair) => pair.caseId === answer.case_id && pair.repetition === answer.repetition,
    );
    if (judged === undefined || judged.votes.every((vote) => vote === "unscored")) return [];
    return [[answer.winner, judged.winner] as const];
  });
  const kappa = kappaByOutput(both.map((pair) => [pair]));
  return {
    compared: both.length,
    agreed: both.filter(([person, judges]) => person === judges).length,
    kappa: kappa.value,
    kappaInterval: kappa.interval,
  };
}

async function askOne(
  { markers, ask }: HumanRequest,
  pair: Pair,
  { shown, place }: { readonly shown: Contender; readonly place: string },
): Promise<HumanAnswer | "stop" | null> {
  const hide = pairHider(pair, markers);
  const other = otherOf(shown);
  const text = [
    `Pair ${place}, case ${pair.caseId}`,
    taskText(pair.second.subject.case, hide),
    `---------- output 1 ----------\n${packText(await blindPack(pair[shown], { hide }))}`,
    `---------- output 2 ----------\n${packText(await blindPack(pair[other], { hide }))}`,
    "Which is better? 1, 2, t (tie), s (skip), q (stop): ",
  ].join("\n\n");
  const head = {
    case_id: pair.caseId,
    repetition: pair.repetition,
    first: pair.first.name,
    second: pair.second.name,
    shown_first: shown,
  };
  let question = text;
  for (let tries = 0; tries < 5; tries++) {
    switch ((await ask(question)).trim().toLowerCase()) {
      case "1":
        return { ...head, winner: shown };
      case "2":
        return { ...head, winner: other };
      case "t":
      case "tie":
      case "=":
        return { ...head, winner: "TIE" };
      case "s":
      case "skip":
        return null;
      case "q":
      case "quit":
        return "stop";
      default:
        question = "Please answer 1, 2, t, s or q: ";
    }
  }
  throw new UserError("compare/no-answer", "five answers in a row could not be understood", {
    hint: "what was answered so far is kept; repeat the command to continue",
  });
}

/** What the agent said and made, for a person to read. */
function packText({ blocks, gaps }: EvidencePack): string {
  const shown = blocks
    .filter(({ exhibit }) => !exhibit.given)
    .map(({ exhibit, excerpt }) => {
      const isFile = exhibit.source.kind === "file";
      const body =
        excerpt === null
          ? exhibit.content.kind === "unreadable"
            ? `(${exhibit.content.reason})`
            : "(an image)"
          : excerptText(excerpt);
      return isFile ? `[file ${exhibit.title}]\n${body}` : body;
    });
  const cut = gaps.filter(({ room }) => room !== "actions").map(({ text }) => `(left out: ${text})`);
  return [...shown, ...cut].join("\n\n");
}

function isAbout(answer: HumanAnswer, pair: Pair): boolean {
  return (
    answer.case_id === pair.caseId &&
    answer.repetition === pair.repetition &&
    answer.first === pair.first.name &&
    answer.second === pair.second.name
  );
}

function same(one: HumanAnswer, other: HumanAnswer): boolean {
  return (
    one.case_id === other.case_id &&
    one.repetition === other.repetition &&
    one.first === other.first &&
    one.second === other.second
  );
}

async function readAnswers(path: string): Promise<readonly HumanAnswer[]> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return [];
  try {
    return listAt(JSON.parse(text), "answers").flatMap((raw) => {
      const [winner, shown] = [textAt(raw, "winner"), textAt(raw, "shown_first")];
      const repetition = numberOrNull(raw, "repetition");
      if (repetition === null || !isContender(shown) || (winner !== "TIE" && !isContender(winner))) return [];
      const names = {
        case_id: textAt(raw, "case_id"),
        first: textAt(raw, "first"),
        second: textAt(raw, "second"),
      };
      return [{ ...names, repetition, shown_first: shown, winner }];
    });
  } catch {
    throw new UserError("compare/bad-answers", `${path} cannot be read`, {
      hint: "it holds a person's answers; fix or remove it",
    });
  }
}

function isContender(text: string): text is Contender {
  return text === "first" || text === "second";
}
