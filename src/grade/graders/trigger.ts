import type { Activation } from "../../domain/run.ts";
import { isSameSkill } from "../../domain/skill.ts";
import type { Evidence } from "../../domain/verdict.ts";
import { type CheckOf, codeGrader } from "../code-grader.ts";
import { type Decision, failed, measure, passed, unscored } from "../decision.ts";
import type { Grader } from "../grader.ts";
import type { Subject } from "../subject.ts";

/** Whether the right skill answers a query, from what the agent loaded. */
export function triggerGrader(): Grader<CheckOf<"fires">> {
  return codeGrader<"activations", Subject>({
    name: "trigger",
    reads: "activations",
    open: async (subject) => subject,
    decisions: { fires: decide },
  });
}

function decide(check: CheckOf<"fires">, { run, skill }: Subject): Decision {
  const { activations } = run;
  const firing = (name: string) => activations.find((activation) => isSameSkill(activation.skill, name));
  const forbidden = check.forbidden.flatMap((name) => firing(name) ?? [])[0];
  if (forbidden !== undefined)
    return failed(`${forbidden.skill} fired and must stay silent`, [at(forbidden)]);
  /** On a query that must fire, the one named skill; otherwise the one under test. */
  const subject = check.expected ? (check.skill ?? skill) : skill;
  if (subject === null) return unscored("no skill is under test");
  const fired = firing(subject);
  if (check.expected) {
    if (fired !== undefined) return passed(`${subject} fired`, [at(fired)]);
    return failed(`${subject} did not fire${others(activations)}`, evidenceOf(activations));
  }
  if (fired !== undefined) return failed(`${subject} fired`, [at(fired)]);
  if (check.skill === null)
    return passed(`${subject} did not fire${others(activations)}`, evidenceOf(activations));
  const rival = firing(check.skill);
  return rival === undefined
    ? failed(
        `${subject} did not fire, but neither did ${check.skill}, which should${others(activations)}`,
        evidenceOf(activations),
      )
    : passed(`${check.skill} fired instead of ${subject}`, [at(rival)]);
}

function at(activation: Activation): Evidence {
  return {
    kind: "quote",
    text: `${activation.skill} (${activation.by})`,
    source: { kind: "event", index: activation.event },
  };
}

function evidenceOf(activations: readonly Activation[]): readonly Evidence[] {
  return activations.length === 0
    ? [measure("no skill was loaded in the run")]
    : activations.slice(0, 5).map(at);
}

function others(activations: readonly Activation[]): string {
  const names = [...new Set(activations.map((activation) => activation.skill))];
  return names.length === 0 ? "" : `; loaded: ${names.join(", ")}`;
}
