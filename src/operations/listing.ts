import { basename, resolve } from "node:path";
import type { Skill } from "../domain/skill.ts";
import { UserError } from "../domain/user-error.ts";
import { skillsBelow } from "../engine/project-skills.ts";
import type { InstalledSkill, SkillInList, ListingBudget } from "../load/listing/client.ts";
import { LISTING_CLIENTS } from "../load/listing/index.ts";
import { allowsImplicit } from "../load/openai-policy.ts";
import { readSkillDocument } from "../load/skill.ts";
import { names, texts, wholeNumber } from "../options/kind.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";

export type { SkillInList, ListingBudget } from "../load/listing/client.ts";

/** What `listing` can be told. */
export const LISTING_OPTIONS = {
  targets: optionOr(
    null,
    { kind: texts, otherwise: [] },
    "the skills in question, or folders of them (default: here)",
  ),
  beside: optionOr(
    "--beside <dir>",
    { kind: texts, otherwise: [] },
    "other skills that are installed with them; may be repeated",
    { repeatable: true },
  ),
  clients: option("--client <names>", names, "only these clients, with commas (default: all that are known)"),
  contextTokens: option(
    "--context <tokens>",
    wholeNumber(1),
    "the model's context window (default: the client's usual one)",
  ),
  reserved: optionOr(
    "--reserve <characters>",
    { kind: wholeNumber(0), otherwise: 0 },
    "what the client's own skills take of the list",
  ),
};
export type ListingOptions = Given<typeof LISTING_OPTIONS>;

export interface ClientListing {
  readonly client: string;
  /** Versions that the rule was held against; null: the rule is not known. */
  readonly versions: string | null;
  readonly rule: string;
  /** Null: there is none, or it is not known. */
  readonly budget: ListingBudget | null;
  /** The skills in question. */
  readonly skills: readonly SkillInList[];
  /** Those beside them. */
  readonly others: readonly SkillInList[];
}

/** Would these skills still be listed, and with how much of their descriptions, next to the others? Runs nothing. */
export async function listing(options: ListingOptions, door: Door): Promise<readonly ClientListing[]> {
  const open = openDoor(door);
  const { machine, signal } = open;
  const settled = settle(LISTING_OPTIONS, options, sourcesOf(open));
  const clients = clientsOf(settled.clients);
  const targets = settled.targets.length === 0 ? ["."] : settled.targets;
  const asked = await skillsAt(targets, { machine, signal });
  const taken = new Set(asked.map(({ skill }) => skill.name.toLowerCase()));
  const found = settled.beside.length === 0 ? [] : await skillsAt(settled.beside, { machine, signal });
  const others = found.filter(({ skill }) => !taken.has(skill.name.toLowerCase()));
  return clients.map(({ name, versions, rule, list }) => {
    const { budget, listed } = list([...asked, ...others], settled);
    return {
      client: name,
      versions,
      rule,
      budget,
      skills: listed.slice(0, asked.length),
      others: listed.slice(asked.length),
    };
  });
}

function clientsOf(wanted: readonly string[] | null) {
  const known = LISTING_CLIENTS.map(({ name }) => name);
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserError("listing/no-client", `there is no client ${JSON.stringify(unknown)}`, {
      hint: `these are known: ${known.join(", ")}`,
    });
  return LISTING_CLIENTS.filter(({ name }) => wanted?.includes(name) ?? true);
}

async function skillsAt(
  paths: readonly string[],
  { machine, signal }: { machine: Door["machine"]; signal: AbortSignal },
): Promise<readonly InstalledSkill[]> {
  const byName = new Map<string, Skill>();
  for (const path of paths) {
    signal.throwIfAborted();
    const root = resolve(machine.cwd, path);
    const one = (await readSkillDocument(root, () => {}))?.skill ?? null;
    const skills = one === null ? await skillsBelow(root, machine.home) : [one];
    if (skills.length === 0)
      throw new UserError("listing/no-skills", `there is no skill in ${path}`, {
        hint: "pass a skill's directory, or a folder of skills",
      });
    for (const skill of skills)
      if (!byName.has(skill.name.toLowerCase())) byName.set(skill.name.toLowerCase(), skill);
  }
  return Promise.all(
    [...byName.values()].map(async (skill) => ({
      skill,
      // Codex numbers the folders that it finds skills in.
      path: `r0/${basename(skill.root)}/SKILL.md`,
      implicit: await allowsImplicit(skill),
    })),
  );
}
