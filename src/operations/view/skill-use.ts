import { stat } from "node:fs/promises";
import { skillNameIn } from "../../domain/iteration.ts";
import type { SkillUse } from "../../domain/run-pages.ts";
import { isSameSkill } from "../../domain/skill.ts";
import { escapeRegExp } from "../../lib/escape-reg-exp.ts";
import { readLines } from "../../lib/jsonl.ts";
import type { ViewedRun } from "./stored.ts";

/** Whether the skill was listed and taken up, and which of its files tools were pointed at. */
export async function skillUse({ finished: { run }, within, files }: ViewedRun): Promise<SkillUse> {
  const own = skillNameIn(within.iteration);
  return {
    offered: run.skillsOffered && run.skillsOffered.some((name) => isSameSkill(name, own)),
    activations: run.activations,
    files: await filesNamed(files.transcript, own),
  };
}

/** Reading more takes longer than opening a run may. */
const MOST_BYTES = 16 * 1024 * 1024;

async function filesNamed(transcript: string, skill: string): Promise<SkillUse["files"]> {
  const found = await stat(transcript).catch(() => null);
  if (found === null || found.size > MOST_BYTES) return [];
  const path = new RegExp(String.raw`skills/${escapeRegExp(skill)}/([\w.@/-]*[\w-])`, "g");
  const events = new Map<string, number[]>();
  for await (const { line, text } of readLines(transcript)) {
    if (!text.includes('"kind":"tool-call"')) continue;
    for (const [, name = ""] of text.matchAll(path)) {
      const there = events.get(name) ?? [];
      if (!there.includes(line - 1)) events.set(name, [...there, line - 1]);
    }
  }
  return [...events].map(([name, at]) => ({ path: name, events: at }));
}
