import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import { UserError } from "../../domain/user-error.ts";
import { recordOf } from "../../improve/loop/history-file.ts";
import type { LoopRecord } from "../../improve/loop/record.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { historyReader } from "../../store/read/history.ts";

export interface OpenedHistory {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly record: LoopRecord;
}

/** What to go on with; nothing where there is no history. Throws when what is there is about something else. */
export async function openHistory(
  { history: path }: Pick<SuiteFolder, "history">,
  { skillName, about, now }: { skillName: string; about: JsonObject; now: Date },
): Promise<OpenedHistory> {
  if ((await stat(path).catch(() => null)) === null)
    return { startedAt: now.toISOString(), record: { rounds: [], confirmations: [] } };
  const { value, diagnostics } = await historyReader.read(path);
  const record = value === null ? null : recordOf(value);
  if (value === null || record === null) {
    throw new UserError("improve/foreign-history", `${path} is not a history that can be continued`, {
      hint: "--restart sets it aside and starts over",
      diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
    });
  }
  if (value.skillName !== skillName) {
    throw new UserError(
      "improve/other-skill",
      `${path} is about the skill ${JSON.stringify(value.skillName)}, not ${JSON.stringify(skillName)}`,
      { hint: "choose another --workspace" },
    );
  }
  const was = value.extras["about"] as JsonObject | undefined;
  const differing = Object.keys(about).filter(
    (key) => JSON.stringify(was?.[key]) !== JSON.stringify(about[key]),
  );
  if (differing.length > 0) {
    throw new UserError(
      "improve/other-history",
      `the history was started with another ${differing.join(", ").replaceAll("_", " ")}, so its rounds cannot be compared with new ones`,
      { hint: "use the same options to continue, or --restart to set the history aside and start over" },
    );
  }
  return { startedAt: value.startedAt, record };
}

/** Moves history, versions and their comparisons into a folder of their own; null: there is nothing to move. */
export async function setAside({
  root,
  earlier,
}: Pick<SuiteFolder, "root" | "earlier">): Promise<string | null> {
  const own = (await namesIn(root)).filter((name) => /^(history\.json|v\d+)$/.test(name));
  const compared = (await namesIn(join(root, "grading"))).filter((name) => /^v\d+-vs-v\d+$/.test(name));
  const paths = [...own, ...compared.map((name) => join("grading", name))];
  if (paths.length === 0) return null;
  let number = 1;
  while ((await stat(earlier(number)).catch(() => null)) !== null) number++;
  const target = earlier(number);
  await mkdir(join(target, "grading"), { recursive: true });
  for (const path of paths) await rename(join(root, path), join(target, path));
  return target;
}

function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}
