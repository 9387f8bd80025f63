import type { JsonObject } from "../../domain/json.ts";
import { UserError } from "../../domain/user-error.ts";
import { adoptedVersion } from "../../improve/loop/record.ts";
import type { Machine } from "../../machine.ts";
import { openHistory, type OpenedHistory, setAside } from "./history.ts";
import type { Place } from "./place.ts";
import { type Versions, versionsIn } from "./versions.ts";

/** Where the rounds start: those of earlier calls, and the versions that were drafted, v0 at least. */
export interface BegunRounds {
  readonly opened: OpenedHistory;
  readonly versions: Versions;
}

/** `about` is what makes rounds comparable. Throws where the rounds so far are about something else. */
export async function beginRounds(
  place: Place,
  about: JsonObject,
  { now }: Pick<Machine, "now">,
): Promise<BegunRounds> {
  const { folder, skill, skillText } = place;
  const opened = await openHistory(folder, { skillName: skill.name, about, now: now() });
  const versions = versionsIn(folder, skill);
  await ensureSameSkill(opened, versions, place);
  if ((await versions.read(0)) === null)
    await versions.keep({ version: 0, parent: null, text: skillText, summary: "", edits: [] }, now());
  return { opened, versions };
}

/** Sets what earlier rounds left aside, and notes where it is. */
export async function restart({ folder }: Place, { note }: Pick<Machine, "note">): Promise<void> {
  const moved = await setAside(folder);
  if (moved !== null) note(`the earlier history is now in ${moved}`);
}

/** The rounds are about the skill as it was, or as it is since a version was adopted. */
async function ensureSameSkill(
  { record }: OpenedHistory,
  versions: Versions,
  { skill, skillText, folder }: Place,
): Promise<void> {
  const first = await versions.read(0);
  if (record.rounds.length === 0 && first === null) return;
  const best = await versions.read(adoptedVersion(record));
  if (skillText === first?.text || skillText === best?.text) return;
  throw new UserError(
    "improve/other-text",
    `${skill.file} is neither v0 nor the adopted version of ${folder.history}, so it was changed by hand since`,
    { hint: "--restart sets the history aside and starts over with the skill as it is now" },
  );
}
