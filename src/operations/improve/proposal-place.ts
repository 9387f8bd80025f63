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
  /** Every file of that ending counts as the format's, because each case has one of its own. */
  readonly ending: RegExp | null;
  /** Where several files of the format go, if not there. Absent: there. */
  readonly several?: string;
}

export function proposalPlace(
  skill: Skill,
  { to, output }: { readonly to: FormatName; readonly output: string | null },
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
      // Of several files beside a skill clauditor reads one, so several go where all are found.
      const several =
        skill.layout === "command"
          ? join(dirname(skill.root), "evals", skill.name)
          : join(skill.root, "evals");
      return {
        directory: given ?? skill.root,
        nameOf: () => own,
        ending: null,
        several: given ?? several,
      };
    }
    case "bmad":
      return {
        directory: given ?? join(dirname(dirname(skill.root)), "evals", skill.name),
        nameOf: same,
        ending: null,
      };
    case "skillet": {
      const numbered = (name: string) => name.replace(/^\d+(?=\.)/, (digits) => digits.padStart(3, "0"));
      return { directory: given ?? join(skill.root, "evals"), nameOf: numbered, ending: /\.ya?ml$/ };
    }
    case "skill-creator":
      return { directory: given ?? join(skill.root, "evals"), nameOf: same, ending: null };
  }
}

/** Told before a call is paid: what is there is never overwritten. */
export async function ensureFree(
  { directory, nameOf, ending, several }: ProposalPlace,
  to: FormatName,
  machine: Machine,
): Promise<void> {
  if ((await stat(directory).catch(() => null))?.isDirectory() === false) {
    throw new UserError(
      "propose/no-directory",
      `${relative(machine.cwd, directory)} is a file, not a directory`,
      {
        hint: "choose a directory with --output; nothing was asked or written",
      },
    );
  }
  const names = await readdir(directory).catch(() => []);
  const taken = names.find((name) =>
    ending === null ? FILES[to].some((file) => nameOf(file) === name) : ending.test(name),
  );
  const there = taken === undefined ? await specIn(several) : join(directory, taken);
  if (there === null) return;
  throw new UserError("propose/exists", `${relative(machine.cwd, there)} already exists`, {
    hint: "choose another directory with --output; nothing was asked or written",
  });
}

/** A file of one case, where several would go. */
async function specIn(directory: string | undefined): Promise<string | null> {
  const names = directory === undefined ? [] : await readdir(directory).catch(() => []);
  const spec = names.find((name) => name.endsWith(".eval.json"));
  return directory === undefined || spec === undefined ? null : join(directory, spec);
}

const FILES: Readonly<Record<FormatName, readonly string[]>> = {
  skillet: [],
  "skill-creator": ["evals.json", "trigger-eval.json"],
  bmad: ["evals.json", "triggers.json"],
  clauditor: ["SKILL.eval.json"],
};
