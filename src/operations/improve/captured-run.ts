import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { promptText } from "../../improve/failing.ts";
import { outcomeText, verdictText } from "../../report/text.ts";
import { findRun } from "../find-run.ts";
import type { Machine } from "../../machine.ts";
import { isNamedByFolder } from "../import/import.ts";

const MOST_CHARS = 40_000;

/** What a run gave, or what a file holds, without secrets. */
export async function readCaptured(
  name: string,
  { skill, results, machine, mask }: { skill: Skill; results: string; machine: Machine; mask: SecretMask },
): Promise<string> {
  const path = resolve(machine.cwd, name);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) {
    const text = mask.text(await readFile(path, "utf8"));
    if (text.trim() !== "") return shortened(text);
    throw new UserError("propose/empty", `${name} is empty`, { hint: "pass a captured output or a run" });
  }
  const { folder, state, finished } = await findRun(name, { machine, results });
  const about = state.iteration?.suite ?? skill.name;
  if (about !== skill.name && !isNamedByFolder(state.iteration?.options)) {
    throw new UserError(
      "propose/other-skill",
      `${name} is a run of ${JSON.stringify(about)}, not of ${JSON.stringify(skill.name)}`,
      {
        hint: `pass a run of ${skill.name}, or the file with its output`,
      },
    );
  }
  const one = state.cases.find(({ id }) => id === finished.trial.caseId);
  const verdicts = state.gradings.get(finished.trial.id)?.verdicts ?? [];
  const output = await readFile(folder.run(finished.folder).outputText, "utf8").catch(() => "");
  const lines = [
    `request: ${one === undefined ? "unknown" : promptText(one)}`,
    `ended: ${outcomeText(finished.run.outcome)}`,
    ...verdicts
      .filter(({ status }) => status === "failed")
      .map((verdict) => `failed: ${verdict.text}: ${verdictText(verdict)}`),
    `output:\n${output}`,
  ];
  return shortened(mask.text(lines.join("\n")));
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const half = MOST_CHARS / 2;
  return `${text.slice(0, half)}\n[... ${text.length - MOST_CHARS} characters left out ...]\n${text.slice(-half)}`;
}
