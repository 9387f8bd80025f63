import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { basename, isAbsolute, relative, sep } from "node:path";
import { isCardFile } from "../domain/card.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { Skill } from "../domain/skill.ts";
import type { Variant } from "../domain/trial.ts";
import { fileHash, type HashedTree, hashedTree, treeHash } from "../lib/tree-hash.ts";
import type { Basis, SkillParts } from "../domain/basis.ts";
import type { Client } from "../run/harness.ts";

/** Digests of everything outside the eval files that decides what a run does. */
export async function determinantsOf(
  suite: Suite,
  around: {
    /** Null where no agent was looked for. */
    readonly client: Pick<Client, "name" | "version"> | null;
    /** What the agent is told, by the option that says it. */
    readonly options: Readonly<Record<string, unknown>>;
    readonly projectDigest: string;
    readonly variants: readonly Variant[];
    /** What `old_skill` installs. */
    readonly older: Skill | null;
    /** Absolute paths that belong to no skill, wherever they lie. */
    readonly hidden: readonly string[];
    /** What trigger probes are staged with. */
    readonly probe: { readonly body: string; readonly rivals: readonly Skill[] };
    readonly signal: AbortSignal;
  },
): Promise<Basis> {
  const { hidden, signal } = around;
  const tested = suite.skill === null ? null : await hashedSkill(suite.skill, { hidden, signal });
  const older = around.older === null ? tested : await hashedSkill(around.older, { hidden, signal });
  const installed = (variant: Variant) =>
    variant === "without_skill" ? null : variant === "old_skill" ? older : tested;
  const probe = [
    around.probe.body,
    await Promise.all(around.probe.rivals.map((one) => skillDigest(one, { signal }))),
  ];
  const cases = await Promise.all(
    suite.cases.map(async (one) => {
      const own = await caseDigest(one, signal);
      return [one.id, one.kind === "trigger" ? digest([own, probe]) : own] as const;
    }),
  );
  return {
    client: around.client === null ? "" : `${around.client.name} ${around.client.version ?? "unknown"}`,
    options: digest(around.options),
    project: around.projectDigest,
    skill: Object.fromEntries(
      around.variants.map((variant) => [variant, installed(variant)?.hash ?? "none"]),
    ),
    cases: Object.fromEntries(cases),
    told: Object.fromEntries(Object.entries(around.options).map(([name, value]) => [name, digest(value)])),
    probe: digest(probe),
    skills: Object.fromEntries(
      around.variants.flatMap((variant) => {
        const found = installed(variant);
        return found === null ? [] : [[variant, found.parts]];
      }),
    ),
  };
}

interface DigestOptions {
  /** Absolute paths that are not part of a skill though they lie in it, such as reports that were written there. */
  readonly hidden?: readonly string[];
  readonly signal?: AbortSignal;
}

export async function skillDigest(skill: Skill, options: DigestOptions = {}): Promise<string> {
  return (await hashedFiles(skill, options)).hash;
}

/** The same with its parts. */
async function hashedSkill(
  skill: Skill,
  options: DigestOptions,
): Promise<{ readonly hash: string; readonly parts: SkillParts }> {
  const { root, file, description, frontmatter, body } = skill;
  const { description: _, ...rest } = frontmatter;
  const { hash, files } = await hashedFiles(skill, options);
  const main = relative(root, file).replaceAll(sep, "/");
  return {
    hash,
    parts: { main, description: digest(description), frontmatter: digest(rest), body: digest(body), files },
  };
}

async function hashedFiles(
  { layout, root, file }: Skill,
  { hidden = [], signal }: DigestOptions,
): Promise<HashedTree> {
  if (layout === "directory") return hashedTree(root, { skip: await notOf(root, hidden), signal });
  const hash = await fileHash(file, signal);
  return { hash, files: { [basename(file)]: hash } };
}

async function notOf(root: string, hidden: readonly string[]): Promise<(path: string) => boolean> {
  const roots = [root, await realpath(root).catch(() => root)];
  const inside = new Set(
    roots
      .flatMap((from) => hidden.map((path) => relative(from, path).replaceAll(sep, "/")))
      .filter((path) => path !== "" && !path.startsWith("../") && !isAbsolute(path)),
  );
  return (path) => !isOfSkill(path) || inside.has(path);
}

/** Whether a path relative to a skill's folder is part of the skill, and not of its evals, results or tools. */
export function isOfSkill(path: string): boolean {
  return !/(^|\/)(evals|node_modules|\.git|\.assay)(\/|$)|\.eval\.json$/.test(path) && !isCardFile(path);
}

async function caseDigest({ files, overlays }: Case, signal: AbortSignal): Promise<string> {
  const hashOf = (path: string) => treeHash(path, { signal }).catch(() => "unreadable");
  const parts = await Promise.all([
    ...files.map(async (file) => {
      if (file.kind === "inline") return [file.target, digest(file.content)];
      return [file.target, file.source === null ? file.problem : await hashOf(file.source)];
    }),
    ...overlays.map(hashOf),
  ]);
  signal.throwIfAborted();
  return digest(parts);
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
