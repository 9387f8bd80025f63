import { dirname, join, relative, resolve, sep } from "node:path";
import { type Card, CARD_NAME } from "../domain/card.ts";
import type { JsonObject } from "../domain/json.ts";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { VERSION } from "../engine/version.ts";
import { isOfSkill } from "../iteration/digests.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { fingerprintOf } from "../lib/ed25519.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { staysIn } from "../lib/stays-in.ts";
import { text } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import { type CardDifference, differencesOf } from "../report/card/differences.ts";
import { cardSvg } from "../report/card/svg.ts";
import { chooseEvidence, evidenceIn } from "./card/choose.ts";
import { readCard } from "./card/read-card.ts";
import { checkSignature, type SignatureState, signCard } from "./card/signature.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";
import { type SkillNow, skillNow, skillOfResults } from "./shared/skill-now.ts";
import { writing } from "./shared/writing.ts";
import { findSuite } from "./trend/find-suite.ts";

export type { CardDifference } from "../report/card/differences.ts";
export { cardLines, evidenceLines } from "../report/card/words.ts";
export type { SignatureState } from "./card/signature.ts";

const SKILL = option(
  null,
  text,
  "name or directory of a skill that was run (default: the only one there is)",
);

/** What `card` can be told. */
export const CARD_OPTIONS = {
  skill: SKILL,
  harness: option("--harness <name>", text, "only what was measured with this agent"),
  model: option(
    "--model <name>",
    text,
    "only what was measured with this model; `default` is the client's own",
  ),
  output: option(
    "--out <file>",
    text,
    "the .json file to write, with a .svg beside it (default: assay-card.json here)",
  ),
  sign: option("--sign <key-file>", text, "sign with this ed25519 private key (PEM)"),
  ...PLACE,
};
export type CardOptions = Given<typeof CARD_OPTIONS>;

export interface WrittenCard {
  readonly card: Card;
  /** Absolute. */
  readonly path: string;
  readonly picture: string;
  /** Of the key that signed it; null: not signed. */
  readonly fingerprint: string | null;
}

/** Writes what was measured of the skill as it is now. Throws a UserError, and writes nothing, where nothing was. */
export async function card(options: CardOptions, door: Door): Promise<WrittenCard> {
  const open = openDoor(door);
  const { machine, signal } = open;
  const settled = settle(CARD_OPTIONS, options, sourcesOf(open));
  const suite = await findSuite(settled.skill, {
    results: resultsFolder(settled.workspace, machine),
    machine,
  });
  const now = await skillNow([settled.skill, await skillOfResults(suite)], open);
  if (now === null)
    throw new UserError("card/no-skill", "the skill is not where its newest results say it was", {
      hint: "pass its directory, or a command's file",
    });
  const path = outputOf(settled.output, now, machine.cwd);
  const { name, evidence } = await chooseEvidence(suite, { ...settled, sha256: now.sha256, signal });
  const unsigned: Card = {
    kind: "assay-evidence-card",
    schema: 1,
    date: machine.now().toISOString(),
    assay: VERSION,
    skill: { name, sha256: now.sha256 },
    evidence,
    signature: null,
  };
  const signature = settled.sign === null ? null : await signCard(unsigned, settled.sign, machine);
  const made = { ...unsigned, signature };
  const fingerprint = signature === null ? null : fingerprintOf(signature.publicKey);
  const picture = pictureOf(path);
  await writing(path, machine, async () => {
    await makeFolder(dirname(path));
    await writeFileAtomic(path, `${JSON.stringify(made, null, 2)}\n`);
    await writeFileAtomic(picture, cardSvg(made, { fresh: true, fingerprint }));
  });
  return { card: made, path, picture, fingerprint };
}

const CARD_FILE = option(null, text, "the card's .json file");

/** What `verifyCard` can be told. */
export const VERIFY_CARD_OPTIONS = {
  card: CARD_FILE,
  skill: SKILL,
  publicKey: option(
    "--public-key <file>",
    text,
    "the ed25519 public key (PEM) that must have signed the card",
  ),
  ...PLACE,
};
export type VerifyCardOptions = Given<typeof VERIFY_CARD_OPTIONS> & { readonly card: string };

export interface VerifiedCard {
  readonly card: Card;
  /** Nothing differs, the signature is not bad, and the skill is still the version that was measured. */
  readonly holds: boolean;
  /** What the journals do not bear out. */
  readonly differences: readonly CardDifference[];
  readonly signature: SignatureState;
  /** Null: the skill was not found, so nobody can say. */
  readonly fresh: boolean | null;
}

/** Computes a card again from the journals of the iterations that it names. Writes nothing. */
export async function verifyCard(options: VerifyCardOptions, door: Door): Promise<VerifiedCard> {
  const open = openDoor(door);
  const { machine, signal } = open;
  const settled = required(settle(VERIFY_CARD_OPTIONS, options, sourcesOf(open)), ["card"]);
  const { card: read, raw } = await readCard(resolve(machine.cwd, settled.card), machine);
  const signature = await checkSignature(raw, read, { publicKey: settled.publicKey, cwd: machine.cwd });
  const results = resultsFolder(settled.workspace, machine);
  const suite = await findSuite(settled.skill ?? read.skill.name, { results, machine });
  const evidence: JsonObject[] = [];
  let sha256: string | null = read.skill.sha256;
  for (const { iteration: number } of read.evidence) {
    signal.throwIfAborted();
    const found = await evidenceIn(suite.iteration(number));
    requireSame(read, found.iteration.suite);
    evidence.push({ ...found.evidence } as unknown as JsonObject);
    if (found.iteration.skill?.sha256 !== read.skill.sha256) sha256 = found.iteration.skill?.sha256 ?? null;
  }
  const { date: _date, assay: _assay, signature: _signature, ...claimed } = raw;
  const skill = { name: read.skill.name, sha256 };
  const differences = differencesOf(claimed, { kind: read.kind, schema: read.schema, skill, evidence });
  const now = await skillNow([settled.skill, await skillOfResults(suite)], open);
  const fresh = now === null ? null : now.sha256 === read.skill.sha256;
  const holds = differences.length === 0 && signature.status !== "bad" && fresh !== false;
  return { card: read, holds, differences, signature, fresh };
}

/** What `checkCard` can be told. */
export const CHECK_CARD_OPTIONS = {
  card: CARD_FILE,
  skill: option(null, text, "the skill's directory (default: where the card lies, or where its results say)"),
  ...PLACE,
};
export type CheckCardOptions = Given<typeof CHECK_CARD_OPTIONS> & { readonly card: string };

export interface CheckedCard {
  readonly card: Card;
  readonly fresh: boolean;
  /** Absolute; drawn again, gray where the skill has changed. */
  readonly picture: string;
}

/** Draws a card's picture again, gray where the skill is no longer the version that was measured. Needs no results. */
export async function checkCard(options: CheckCardOptions, door: Door): Promise<CheckedCard> {
  const open = openDoor(door);
  const { machine } = open;
  const settled = required(settle(CHECK_CARD_OPTIONS, options, sourcesOf(open)), ["card"]);
  const path = resolve(machine.cwd, settled.card);
  const { card: read, raw } = await readCard(path, machine);
  const signature = await checkSignature(raw, read, { publicKey: null, cwd: machine.cwd });
  if (signature.status === "bad")
    throw new UserError("card/bad-signature", signature.reason, { hint: "ask its author for the original" });
  const now = await skillOfCard(settled, read, open);
  const fresh = now.sha256 === read.skill.sha256;
  if (!fresh) requireSame(read, now.skill.name);
  const fingerprint = signature.status === "good" ? signature.fingerprint : null;
  const picture = pictureOf(path);
  await writing(picture, machine, () => writeFileAtomic(picture, cardSvg(read, { fresh, fingerprint })));
  return { card: read, fresh, picture };
}

async function skillOfCard(
  { card: file, skill, workspace }: { card: string; skill: string | null; workspace: string | null },
  read: Card,
  open: OpenDoor,
): Promise<SkillNow> {
  const { machine } = open;
  const results = resultsFolder(workspace, machine);
  const suite = await findSuite(read.skill.name, { results, machine }).catch(() => null);
  const places =
    skill === null
      ? [dirname(resolve(machine.cwd, file)), suite === null ? null : await skillOfResults(suite)]
      : [skill];
  const now = await skillNow(places, open);
  if (now !== null) return now;
  throw new UserError("card/no-skill", `the skill ${read.skill.name} was not found`, {
    hint: `pass its directory: assay card --check ${file} <skill>`,
  });
}

function requireSame({ skill }: Card, name: string): void {
  if (skill.name === name) return;
  throw new UserError("card/other-skill", `the card is about ${skill.name}, not about ${name}`, {
    hint: "pass the skill that the card was made for",
  });
}

function pictureOf(path: string): string {
  return path.replace(/\.json$/, ".svg");
}

/** A file in the skill would change what the card is about, unless it has the name that no digest counts. */
function outputOf(output: string | null, { skill }: SkillNow, cwd: string): string {
  const path = output === null ? join(cwd, `${CARD_NAME}.json`) : resolve(cwd, output);
  if (!path.endsWith(".json"))
    throw new UserError("card/bad-name", `a card is a .json file, and ${output} is not`, {
      hint: "the picture is written beside it, as .svg",
    });
  const isInside = skill.layout === "directory" && staysIn(skill.root, path);
  if (isInside && isOfSkill(relative(skill.root, path).split(sep).join("/")))
    throw new UserError(
      "card/inside-skill",
      `${output} lies in the skill, and would change the version it is about`,
      {
        hint: `call it ${CARD_NAME}.json, which does not count as part of the skill, or write it elsewhere`,
      },
    );
  return path;
}
