import type { TriggerClaim } from "../../src/domain/check.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Skill } from "../../src/domain/skill.ts";
import type { Case } from "../../src/domain/suite.ts";
import type { Trial } from "../../src/domain/trial.ts";
import { probeName } from "../../src/triggers/probe.ts";
import type { ProbedIteration } from "../../src/triggers/summarize.ts";
import { aCase } from "./cases.ts";
import { aRun } from "./runs.ts";

export function aSkill(parts: Partial<Skill> = {}): Skill {
  return {
    name: "greeter",
    layout: "directory",
    file: "/project/skills/greeter/SKILL.md",
    root: "/project/skills/greeter",
    description: "Greets people by name.",
    frontmatter: {},
    body: "Say hello.",
    ...parts,
  };
}

export function aQuery(id: string, expected: boolean, claim: Partial<TriggerClaim> = {}): Case {
  return aCase({
    id,
    kind: "trigger",
    prompt: { kind: "turns", turns: [`query ${id}`] },
    checks: [
      {
        id: "fires",
        layer: "trigger",
        text: "the skill fires",
        appliesTo: "every-variant",
        origin: null,
        kind: "fires",
        expected,
        skill: null,
        forbidden: [],
        ...claim,
      },
    ],
  });
}

/** `fire` takes the skill under test up, any other text a skill of that name, `-` none; a list, one after the other. */
export type Seen = string | readonly string[] | Partial<Run>;

export interface Asked {
  readonly one: Case;
  readonly runs: readonly Seen[];
}

/** An iteration that asked these queries and saw this. */
export function probed(asked: readonly Asked[], suite = "greeter"): ProbedIteration {
  const trials = asked.flatMap(({ one, runs }) => runs.map((_, index) => aTrial(one.id, index + 1)));
  const seen = asked.flatMap(({ runs }) => runs);
  return {
    suite,
    cases: asked.map(({ one }) => one),
    trials,
    runs: new Map(trials.map((trial, index) => [trial.id, { run: runOf(trial, seen[index] ?? "-", suite) }])),
  };
}

function aTrial(caseId: string, repetition: number): Trial {
  const id = `${caseId}/with_skill/run-${repetition}`;
  return { id, key: `key of ${id}`, caseId, variant: "with_skill", repetition };
}

function runOf(trial: Trial, seen: Seen, skill: string): Run {
  if (typeof seen === "object" && !isList(seen)) return aRun({ trialId: trial.id, ...seen });
  const names = (typeof seen === "string" ? [seen] : seen).filter((name) => name !== "-");
  return aRun({
    trialId: trial.id,
    activations: names.map((name, event) => ({
      skill: name === "fire" ? probeName(skill, trial) : name,
      by: "tool",
      event,
    })),
  });
}

function isList(seen: object): seen is readonly string[] {
  return Array.isArray(seen);
}
