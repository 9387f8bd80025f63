import type { Evidence, EvidenceSource } from "../../domain/verdict.ts";
import { addressedIn, isAddressed } from "../addressed/addressed.ts";
import { cut } from "../decision.ts";
import type { Block } from "./block.ts";
import type { Bearing } from "./bearing.ts";
import { findQuote, quoteWeight, saysEnough } from "./find-quote.ts";
import { sifted } from "./honest.ts";
import type { EvidencePack, PackList } from "./pack.ts";

/** A piece of evidence that a judge gave, looked up: what it comes to, or what is wrong with it in words for the judge. */
export type Cited =
  | {
      readonly ok: true;
      readonly evidence: readonly Evidence[];
      /** Shows something the agent did, not only what it was given. */
      readonly proves: boolean;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * The quotation must stand in what was shown, say something, and not be part of what speaks to the judge. One that stands
 * elsewhere than cited is put where it stands. `bearing`: what is to be decided by it; null: nothing is.
 */
export function citeQuote(
  pack: EvidencePack,
  quote: string,
  source: string,
  bearing: Bearing | null = null,
): Cited {
  const weight = quoteWeight(quote);
  if (weight === 0) return { ok: false, problem: "a quote without a letter or digit" };
  const cited = resolve(pack, source);
  const here = cited === null ? null : quoteIn(pack, quote, cited, bearing);
  if (here !== null) return here;
  const everywhere: Target = {
    blocks: pack.blocks,
    lists: [pack.lists.tools, pack.lists.files],
    gaps: false,
  };
  const elsewhere = weight < LEAST_RELOCATED ? null : quoteIn(pack, quote, everywhere, bearing);
  if (elsewhere !== null) return elsewhere;
  const place = cited === null ? "a source that does not exist" : "its source";
  return { ok: false, problem: `a quote that is not in ${place}: copy it character for character` };
}

/**
 * Everything searched must have been shown whole; otherwise what is missing may stand in what was left out. It proves
 * only what says that something is missing, and nothing where what was searched speaks to the judge.
 */
export function citeAbsence(
  pack: EvidencePack,
  sources: readonly string[],
  bearing: Bearing | null = null,
): Cited {
  if (sources.length === 0)
    return { ok: false, problem: "something is said to be missing, but not from which source" };
  const evidence: Evidence[] = [];
  const searched: EvidenceSource[] = [];
  let speaks = false;
  let isAboutIt = bearing === null;
  for (const source of sources) {
    const target = resolve(pack, source);
    if (target === null)
      return { ok: false, problem: "something is said to be missing from a source that does not exist" };
    const partly = target.blocks.find((block) => !isWhole(block))?.exhibit.label;
    if (partly !== undefined || target.gaps || target.lists.some((list) => !list.whole)) {
      return {
        ok: false,
        problem: `something is said to be missing from ${partly ?? "a source"}, which was not shown whole`,
      };
    }
    evidence.push(...target.lists.map((list) => listed(list, pack)));
    isAboutIt ||= target.blocks.length > 0;
    isAboutIt ||= target.lists.some((list) => bearing === null || isAbout(list, pack, bearing));
    speaks ||= target.blocks.some(speaksToJudge);
    const found = target.blocks.map((block) => block.exhibit.source);
    if (found.length <= MOST_SEARCHED) searched.push(...found);
    else {
      evidence.push({ kind: "measure", text: `searched ${found.length} pieces, each shown whole` });
      searched.push(...found.filter((_, index) => index === 0 || index === found.length - 1));
    }
  }
  if (searched.length > 0) evidence.push({ kind: "absence", searched });
  return { ok: true, evidence, proves: isAboutIt && !speaks && (bearing === null || bearing.onAbsence) };
}

/** The file cannot be shown, and code knows it. */
export function citeUnreadable(pack: EvidencePack, sources: readonly string[]): Cited {
  const blocks = sources.flatMap((source) => resolve(pack, source)?.blocks ?? []);
  const reasons = blocks.flatMap(({ exhibit: { content, source } }) =>
    content.kind === "unreadable" && source.kind === "file" ? [`${source.path}: ${content.reason}`] : [],
  );
  if (reasons.length === 0) return { ok: false, problem: "a source was called unreadable, but it was shown" };
  return { ok: true, evidence: [{ kind: "measure", text: reasons.join("; ") }], proves: false };
}

/** What a judge sees in a picture cannot be looked up, only that the picture was shown; words in it that speak to the judge are no proof. */
export function citeImage(
  pack: EvidencePack,
  seen: string,
  source: string,
  bearing: Bearing | null = null,
): Cited {
  const block = resolve(pack, source)?.blocks.find(({ exhibit }) => exhibit.content.kind === "image");
  if (block === undefined) return { ok: false, problem: "an image that was not shown" };
  if (addressedIn(seen).length > 0) return { ok: false, problem: SPEAKS };
  const { given } = block.exhibit;
  return {
    ok: true,
    evidence: [{ kind: "quote", text: cut(`(image) ${seen}`), source: block.exhibit.source }],
    proves: !given && (bearing === null || bearing.onImages || bearing.sharesWord(seen)),
  };
}

const SPEAKS = "a quote of text that addresses the judge, which proves nothing";

/** Shorter quotations stand in many places by chance. */
const LEAST_RELOCATED = 12;
const MOST_SEARCHED = 12;

/** What a citation points at. */
interface Target {
  readonly blocks: readonly Block[];
  readonly lists: readonly PackList[];
  /** Something that belongs to it could not be shown at all. */
  readonly gaps: boolean;
}

function resolve(pack: EvidencePack, source: string): Target | null {
  const { blocks, lists } = pack;
  const name = source.replaceAll(/^[\s["'`(]+|[\s\]"'`)]+$/g, "").replace(/^[0-9a-f]{12}\s+/, "");
  const of = (found: readonly Block[], ...rooms: readonly string[]): Target | null =>
    found.length === 0
      ? null
      : { blocks: found, lists: [], gaps: pack.gaps.some((gap) => rooms.includes(gap.room)) };
  switch (name.toLowerCase()) {
    case "part":
      return { blocks, lists: [], gaps: pack.gaps.length > 0 };
    case "tools":
      return { blocks: [], lists: [lists.tools], gaps: false };
    case "files":
      return { blocks: [], lists: [lists.files], gaps: false };
    case "transcript":
      return of(
        blocks.filter(({ exhibit }) => exhibit.room === "turns" || exhibit.room === "actions"),
        "turns",
        "actions",
      );
    case "output":
      return of(outputBlocks(pack), "turns");
    default:
      break;
  }
  const numbered = /^(event|file)s?\s*#?(\d+)\b/i.exec(name);
  const label = numbered === null ? name : `${numbered[1]?.toLowerCase()} ${numbered[2]}`;
  const byLabel = blocks.filter(({ exhibit }) => exhibit.label === label);
  if (byLabel.length > 0) return of(byLabel);
  return of(blocks.filter(({ exhibit }) => isPath(exhibit.source, name)));
}

/** The graded text: on its own, or the answers that it is made of. */
function outputBlocks({ blocks }: EvidencePack): readonly Block[] {
  const own = blocks.filter(({ exhibit }) => exhibit.label === "output");
  if (own.length > 0) return own;
  return blocks.filter(({ exhibit }) => exhibit.room === "turns" && !exhibit.given);
}

function isPath(source: EvidenceSource, name: string): boolean {
  if (source.kind !== "file") return false;
  return source.path === name || source.path === name.replace(/^\.\//, "").replace(/:\d+(-\d+)?$/, "");
}

function quoteIn(
  pack: EvidencePack,
  quote: string,
  { blocks, lists }: Target,
  bearing: Bearing | null,
): Cited | null {
  let problem: string | null = null;
  for (const { exhibit, excerpt } of blocks) {
    const shown = excerpt?.passages ?? [];
    const honest = shown.flatMap((passage) => sifted(passage).honest);
    const found = findQuote(quote, honest);
    if (found === null) {
      if (findQuote(quote, shown) !== null) problem ??= SPEAKS;
      continue;
    }
    if (bearing !== null && !saysEnough(quote, honest)) {
      problem ??= "a quote that says too little: copy a whole line, or at least a few words";
      continue;
    }
    const source = { ...exhibit.source, ...("line" in exhibit.source ? found : {}) };
    return {
      ok: true,
      evidence: [{ kind: "quote", text: cut(quote), source }],
      proves: !exhibit.given && (bearing === null || !maySpeak(pack) || bearing.sharesWord(quote)),
    };
  }
  const list = lists.find(({ text }) => findQuote(quote, [{ text, line: 1 }]) !== null);
  if (list === undefined) return problem === null ? null : { ok: false, problem };
  if (isAddressed(quote)) return { ok: false, problem: SPEAKS };
  return {
    ok: true,
    evidence: [listed(list, pack)],
    proves: bearing === null || (isAbout(list, pack, bearing) && tells(list, quote, bearing)),
  };
}

/** Where something speaks to the judge, or a picture may, what is quoted must at least be about the criterion. */
function maySpeak({ addressed, blocks }: EvidencePack): boolean {
  return addressed.length > 0 || blocks.some(({ exhibit }) => exhibit.content.kind === "image");
}

/** A list of tools or files shows nothing but which there are. */
function isAbout(list: PackList, { lists }: EvidencePack, bearing: Bearing): boolean {
  return list === lists.tools ? bearing.onTools : bearing.onFiles;
}

/** The entry that is quoted is one that the statement is about, or says of inputs what the statement says of them. */
function tells(list: PackList, quote: string, bearing: Bearing): boolean {
  const entries = list.text
    .split("\n")
    .filter((line) => findQuote(quote, [{ text: line, line: 1 }]) !== null);
  return [quote, ...entries].some(bearing.sharesWord) || /\b(?:unchanged|deleted)\b/.test(quote);
}

function speaksToJudge({ excerpt }: Block): boolean {
  return (excerpt?.passages ?? []).some((passage) => sifted(passage).addressed.length > 0);
}

function listed(list: PackList, { lists }: EvidencePack): Evidence {
  const name = list === lists.tools ? "tools called" : "files";
  return { kind: "measure", text: `${name}: ${list.text.slice(0, 600)}` };
}

function isWhole({ exhibit, excerpt }: Block): boolean {
  return excerpt === null ? exhibit.content.kind === "image" : excerpt.whole;
}
