import { resolve } from "node:path";
import type { JsonObject } from "../domain/json.ts";
import { UserError } from "../domain/user-error.ts";
import { secretsOf } from "../engine/secrets.ts";
import { cleaner } from "../improve/session/clean.ts";
import { type DraftedCase, draftCase } from "../improve/session/draft-case.ts";
import { readSession } from "../improve/session/read-session.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { ONE_SKILL } from "../options/improve.ts";
import { flag, text, texts } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { planCase, writeCase } from "./shared/append-case.ts";
import { casesOf, refuseSame } from "./shared/same-case.ts";
import { skillAt } from "./shared/skill-at.ts";

export type { DraftedCase } from "../improve/session/draft-case.ts";

/** What `proposeFromSession` can be told. */
export const SESSION_OPTIONS = {
  ...ONE_SKILL,
  fromSession: option(
    "--from-session <file>",
    text,
    "make a case of this log of Claude Code or Codex, or of a pasted transcript; asks no model",
  ),
  expected: optionOr(
    "--expected <text>",
    { kind: texts, otherwise: [] },
    "with --from-session: what must hold too; may be repeated",
    { repeatable: true },
  ),
  yes: optionOr("--yes", { kind: flag, otherwise: false }, "with --from-session: write without asking"),
  again: optionOr(
    "--again",
    { kind: flag, otherwise: false },
    "with --from-session: write it even if another case has the same prompt",
  ),
};
export type SessionOptions = Given<typeof SESSION_OPTIONS> & { readonly fromSession: string };

export interface SessionDoor extends Omit<Door, "reporters"> {
  /** Sees the case before anybody is asked or anything is written. */
  readonly on?: (drafted: DraftedCase) => void;
}

export interface SessionProposal {
  readonly drafted: DraftedCase;
  /** Absolute path of the eval file that it goes to. */
  readonly file: string;
  /** Absolute paths; null: nobody agreed, so nothing was written. */
  readonly written: readonly string[] | null;
}

/**
 * Makes a case of a session that went wrong: what was asked, the files it needed, and checks from what the user corrected.
 * Asks no model. Written only once somebody has seen it, or with `yes`.
 */
export async function proposeFromSession(
  options: SessionOptions,
  door: SessionDoor,
): Promise<SessionProposal> {
  const open = openDoor(door);
  const { machine } = open;
  const settled = required(settle(SESSION_OPTIONS, options, sourcesOf(open)), ["fromSession"]);
  const skill = await skillAt(settled.skill, machine);
  const session = await readSession(resolve(machine.cwd, settled.fromSession));
  const mask = secretMask(secretsOf(machine.env));
  const drafted = draftCase(session, {
    expected: settled.expected,
    cleaner: cleaner(session.cwd, { mask, home: machine.home }),
  });
  if (drafted.checks.length === 0 && drafted.expectations.length === 0) {
    throw new UserError(
      "session/no-correction",
      `nothing in ${settled.fromSession} looks like a correction, so there is nothing to check`,
      {
        hint: "say what must hold with --expected TEXT",
      },
    );
  }
  if (!settled.again) refuseSame(drafted.prompt, await casesOf(settled.skill, open));
  const planned = await planCase(
    { ...drafted, checks: drafted.checks as readonly unknown[] as readonly JsonObject[], actual: null },
    skill,
    machine,
  );
  door.on?.(drafted);
  const agreed = settled.yes || (await machine.consent({ kind: "write-case", file: planned.file }));
  return { drafted, file: planned.file, written: agreed === true ? await writeCase(planned, machine) : null };
}
