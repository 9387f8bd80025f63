import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { testedVariant } from "../../compare/flips.ts";
import { skillNameIn } from "../../domain/iteration.ts";
import type { SkillLine, SkillPage } from "../../domain/pages.ts";
import { isSameSkill } from "../../domain/skill.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { readLines } from "../../lib/jsonl.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import type { FinishedTrial } from "../../store/state.ts";
import { lineTraces, type RunWords, runWords, type TracedLine, tracesIn } from "./skill-traces.ts";
import type { ViewedIteration } from "./stored.ts";

/** What became of the skill, over all runs that had it: which lines of SKILL.md left traces, and which files were used. */
export async function skillPage(found: ViewedIteration, suite: SuiteFolder): Promise<SkillPage> {
  const { at, iteration, state } = found;
  const variant = testedVariant(state.trials);
  const runs = [...state.runs.values()].filter(({ trial }) => trial.variant === variant);
  const read = await readRuns(found, runs);
  const root = iteration.skill && suite.skill(iteration.skill.sha256);
  const text = root && (await readFile(join(root, "SKILL.md"), "utf8").catch(() => null));
  const isOwn = (name: string) => isSameSkill(name, skillNameIn(iteration));
  const seen = runs.flatMap(({ run }) => (run.skillsOffered === null ? [] : [run.skillsOffered]));
  return {
    at,
    runs: read.length,
    listed: seen.length === 0 ? null : seen.filter((names) => names.some(isOwn)).length,
    loaded: runs.filter(({ run }) => run.activations.some(({ skill }) => isOwn(skill))).length,
    skipped: runs.length - read.length,
    files: (await otherFiles(root)).map((path) => ({
      path,
      runs: read.filter(({ calls }) => calls.includes(path)).length,
    })),
    lines: text === null ? [] : lineTraces(text).map((line) => overAll(line, read)),
  };
}

function overAll({ text, traces }: TracedLine, runs: readonly RunWords[]): SkillLine {
  if (traces.length === 0) return { text, runs: null, words: [] };
  const found = runs.map((words) => tracesIn(words, traces));
  return {
    text,
    runs: found.filter(({ length }) => length > 0).length,
    words: [...new Set(found.flat())].slice(0, MOST_WORDS),
  };
}

const MOST_WORDS = 6;
/** Of all transcripts together: more takes longer than a page may. */
const MOST_BYTES = 64 * 1024 * 1024;

async function readRuns(
  { folder }: ViewedIteration,
  runs: readonly FinishedTrial[],
): Promise<readonly RunWords[]> {
  const read: RunWords[] = [];
  let left = MOST_BYTES;
  for (const { folder: name } of runs) {
    const { transcript } = folder.run(name);
    const size = (await stat(transcript).catch(() => null))?.size ?? null;
    if (size === null || size > left) continue;
    left -= size;
    read.push(runWords(await eventsIn(transcript)));
  }
  return read;
}

async function eventsIn(transcript: string): Promise<readonly TranscriptEvent[]> {
  const events: TranscriptEvent[] = [];
  for await (const { text } of readLines(transcript)) {
    try {
      events.push(JSON.parse(text) as TranscriptEvent);
    } catch {
      // A line that cannot be read has no words.
    }
  }
  return events;
}

/** What the author put beside SKILL.md for agents to use. */
async function otherFiles(root: string | null): Promise<readonly string[]> {
  if (root === null) return [];
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => path !== "SKILL.md" && !path.startsWith("assay.config."))
    .toSorted();
}
