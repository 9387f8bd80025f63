import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import type { FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Machine } from "../../machine.ts";

/** Where drafted evals go, so that they are found beside the skill. */
export interface ProposalPlace {
  readonly directory: string;
  /** The name of a format's file as it is called here. */
  readonly nameOf: (written: string) => string;
}

export function proposalPlace(
  skill: Skill,
  to: FormatName,
  output: string | null,
  machine: Machine,
): ProposalPlace {
  const same = (name: string) => name;
  const given = output === null ? null : resolve(machine.cwd, output);
  switch (to) {
    case "clauditor": {
      const own =
        skill.layout === "command"
          ? `${basename(skill.file).replace(/\.md$/i, "")}.eval.json`
          : "SKILL.eval.json";
      return { directory: given ?? skill.root, nameOf: () => own };
    }
    case "bmad":
      return { directory: given ?? join(dirname(dirname(skill.root)), "evals", skill.name), nameOf: same };
    case "skillet": {
      const numbered = (name: string) => name.replace(/^\d+(?=\.)/, (digits) => digits.padStart(3, "0"));
      return { directory: given ?? join(skill.root, "evals"), nameOf: numbered };
    }
    case "skill-creator":
      return { directory: given ?? join(skill.root, "evals"), nameOf: same };
  }
}

/** Told before a call is paid: what is there is never overwritten. */
export async function ensureFree(
  { directory, nameOf }: ProposalPlace,
  to: FormatName,
  machine: Machine,
): Promise<void> {
  if ((await stat(directory).catch(() => null))?.isDirectory() === false) {
    throw new UserError(
      "propose/no-directory",
      `${relative(machine.cwd, directory)} is a file, not a directory`,
      {
        hint: "name a directory with --output; nothing was asked or written",
      },
    );
  }
  const names = await readdir(directory).catch(() => []);
  const taken = names.find((name) =>
    to === "skillet" ? /\.ya?ml$/.test(name) : FILES[to].some((file) => nameOf(file) === name),
  );
  if (taken === undefined) return;
  throw new UserError("propose/exists", `${relative(machine.cwd, join(directory, taken))} already exists`, {
    hint: "name another directory with --output; nothing was asked or written",
  });
}

const FILES: Readonly<Record<Exclude<FormatName, "skillet">, readonly string[]>> = {
  "skill-creator": ["evals.json", "trigger-eval.json"],
  bmad: ["evals.json", "triggers.json"],
  clauditor: ["SKILL.eval.json"],
};
