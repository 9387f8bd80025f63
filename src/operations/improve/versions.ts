import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Edit } from "../../improve/edit.ts";
import type { Draft } from "../../improve/loop/record.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { toPlain } from "../../lib/document/node.ts";
import { writeYaml } from "../../lib/document/write-yaml.ts";
import { parseYaml } from "../../lib/document/yaml.ts";
import { staysIn } from "../../lib/stays-in.ts";
import { listAt, numberOrNull, textAt, textsAt } from "../../lib/loose.ts";
import { parseSkill } from "../../load/skill.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { copySkill } from "./skill-copy.ts";

/** The drafted versions of a skill in `vN/`: META.yaml is written last, so a version with one is whole. */
export interface Versions {
  readonly read: (version: number) => Promise<Draft | null>;
  readonly keep: (draft: Draft, now: Date) => Promise<void>;
  /** META.yaml once more, with how the version did. */
  readonly rate: (version: number, rated: { iteration: number; score: number | null }) => Promise<void>;
  readonly skill: (draft: Draft) => Skill;
}

/** `skill` is the project's own; its other files go into every version. */
export function versionsIn(folder: SuiteFolder, skill: Skill): Versions {
  const name = basename(skill.file);
  const writeMeta = (version: number, meta: JsonObject) =>
    writeFileAtomic(folder.version(version).meta, writeYaml(meta));
  return {
    read: (version) => readDraft(folder, version, name),
    async keep({ version, parent, text, files = {}, summary, edits }, now) {
      const place = folder.version(version);
      await mkdir(place.root, { recursive: true });
      await copySkill(skill, text, { target: place.skill, files });
      await writeMeta(version, {
        parent: parent === null ? null : `v${parent}`,
        summary,
        ...(Object.keys(files).length > 0 && { files: Object.keys(files) }),
        changes: edits.map(({ file, anchor, replacement, rationale, motivatedBy }) => ({
          ...(file !== undefined && { file }),
          anchor,
          replacement,
          rationale,
          motivated_by: motivatedBy,
        })),
        score: null,
        iteration: null,
        created_at: now.toISOString(),
      });
    },
    async rate(version, { iteration, score }) {
      const meta = await readMeta(folder, version);
      if (meta !== null && meta["iteration"] !== iteration)
        await writeMeta(version, { ...meta, iteration, score });
    },
    skill({ version, text }) {
      const file = join(folder.version(version).skill, name);
      return { ...parseSkill(file, text).skill, name: skill.name, layout: skill.layout, root: dirname(file) };
    },
  };
}

/** One version as it was drafted; null: there is none. `name` is that of its main file. */
export async function readDraft(
  folder: Pick<SuiteFolder, "version">,
  version: number,
  name: string,
): Promise<Draft | null> {
  const meta = await readMeta(folder, version);
  if (meta === null) return null;
  const others = textsAt(meta, "files") ?? [];
  const file = join(folder.version(version).skill, name);
  const text = await readFile(file, "utf8").catch(() => {
    throw unreadable(file);
  });
  return {
    version,
    parent: versionNumber(meta["parent"]),
    text,
    ...(others.length > 0 && { files: await readOthers(folder.version(version).skill, others) }),
    summary: textAt(meta, "summary"),
    edits: listAt(meta, "changes").map(toEdit),
  };
}

async function readMeta(folder: Pick<SuiteFolder, "version">, version: number): Promise<JsonObject | null> {
  const { meta } = folder.version(version);
  const text = await readFile(meta, "utf8").catch(() => null);
  if (text === null) return null;
  const parsed = parseYaml(text);
  if (parsed.ok && parsed.root.kind === "object") return toPlain(parsed.root) as JsonObject;
  throw unreadable(meta);
}

async function readOthers(root: string, paths: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const read = paths.map(async (path) => {
    const file = join(root, path);
    if (!staysIn(root, file)) throw unreadable(file);
    const text = await readFile(file, "utf8").catch(() => {
      throw unreadable(file);
    });
    return [path, text] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

function toEdit(raw: unknown): Edit {
  const file = textAt(raw, "file");
  return {
    ...(file !== "" && { file }),
    anchor: textAt(raw, "anchor"),
    replacement: textAt(raw, "replacement"),
    rationale: textAt(raw, "rationale"),
    motivatedBy: textsAt(raw, "motivated_by") ?? [],
  };
}

function versionNumber(value: unknown): number | null {
  return numberOrNull(
    { value: typeof value === "string" ? Number(/^v(\d+)$/.exec(value)?.[1]) : null },
    "value",
  );
}

function unreadable(path: string): UserError {
  return new UserError("improve/broken-version", `${path} cannot be read`, {
    hint: "--restart sets the whole history aside and starts over",
  });
}
