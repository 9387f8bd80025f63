import { createHash } from "node:crypto";
import type { Case, Suite } from "../domain/suite.ts";
import type { Skill } from "../domain/skill.ts";
import type { Variant } from "../domain/trial.ts";
import { fileHash, treeHash } from "../lib/tree-hash.ts";
import type { Determinants } from "../domain/plan.ts";
import type { Client } from "../run/harness.ts";

/** Digests of everything outside the eval files that decides what a run does. */
export async function determinantsOf(
  suite: Suite,
  around: {
    /** Null where no agent was looked for. */
    readonly client: Pick<Client, "name" | "version"> | null;
    readonly options: unknown;
    readonly projectDigest: string;
    readonly variants: readonly Variant[];
    /** What `old_skill` installs. */
    readonly older: Skill | null;
    /** What trigger probes are staged with. */
    readonly probe: { readonly body: string; readonly rivals: readonly Skill[] };
  },
): Promise<Determinants> {
  const skill = suite.skill === null ? "none" : await skillDigest(suite.skill);
  const older = around.older === null ? skill : await skillDigest(around.older);
  const probe = [around.probe.body, await Promise.all(around.probe.rivals.map(skillDigest))];
  const cases = await Promise.all(
    suite.cases.map(async (one) => {
      const own = await caseDigest(one);
      return [one.id, one.kind === "trigger" ? digest([own, probe]) : own] as const;
    }),
  );
  return {
    client: around.client === null ? "" : `${around.client.name} ${around.client.version ?? "unknown"}`,
    options: digest(around.options),
    project: around.projectDigest,
    skill: Object.fromEntries(
      around.variants.map((variant) => [
        variant,
        variant === "without_skill" ? "none" : variant === "old_skill" ? older : skill,
      ]),
    ),
    cases: Object.fromEntries(cases),
  };
}

export async function skillDigest({ layout, root, file }: Skill): Promise<string> {
  if (layout === "command") return fileHash(file);
  return treeHash(root, {
    skip: (path) => !isOfSkill(path),
  });
}

/** Whether a path relative to a skill's folder is part of the skill, and not of its evals, results or tools. */
export function isOfSkill(path: string): boolean {
  return !/(^|\/)(evals|node_modules|\.git|\.assay)(\/|$)|\.eval\.json$/.test(path);
}

async function caseDigest({ files, overlays }: Case): Promise<string> {
  const parts = await Promise.all([
    ...files.map(async (file) => {
      if (file.kind === "inline") return [file.target, digest(file.content)];
      return [
        file.target,
        file.source === null ? file.problem : await treeHash(file.source).catch(() => "unreadable"),
      ];
    }),
    ...overlays.map((overlay) => treeHash(overlay).catch(() => "unreadable")),
  ]);
  return digest(parts);
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
