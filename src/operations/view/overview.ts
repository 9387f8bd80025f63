import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { speaksInTrend } from "../../domain/iteration.ts";
import type { OverviewPage, OverviewSkill } from "../../domain/pages.ts";
import { readManifest } from "../../store/manifest.ts";
import { iterationLines } from "./lines.ts";
import type { StoredResults } from "./stored.ts";

/** All skills that have results; one that cannot be read is a problem beside the others. */
export async function overviewPage(stored: StoredResults, shownRoot: string): Promise<OverviewPage> {
  const problems: string[] = [];
  const skills: OverviewSkill[] = [];
  for (const skill of await stored.skills()) {
    const suite = await stored.suite(skill);
    const iterations = await stored.iterations(skill);
    const found = await iterationLines(suite, iterations);
    problems.push(...found.problems);
    const last = iterations.at(-1);
    const manifest = last === undefined ? null : await readManifest(last.folder.manifest).catch(() => null);
    skills.push({
      skill,
      name: manifest?.suite ?? basename(suite.root),
      iterations: found.lines,
      latest: found.lines.find(speaksInTrend)?.n ?? null,
      improved: (await stat(suite.history).catch(() => null)) !== null,
    });
  }
  return { results: shownRoot, skills, problems };
}
