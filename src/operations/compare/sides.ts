import { UserError } from "../../domain/user-error.ts";
import type { IterationArm } from "./arm.ts";
import { armSides } from "./arm-sides.ts";
import type { CompareCall } from "./call.ts";
import type { ComparedSides } from "./compared-sides.ts";
import { isNowhere, notFound, type Operand, readOperand, suiteNamed } from "./operand.ts";
import { runSides, textSides } from "./single-sides.ts";
import { runVersions } from "./versions.ts";

/** What the two names stand for; versions are run first, unless that is interrupted. */
export async function readSides(call: CompareCall): Promise<ComparedSides | "interrupted"> {
  const { settled, run, door } = call;
  const { results } = run.request;
  const names = [settled.first, settled.second] as const;
  const suite = names.map(suiteNamed).find((name) => name !== null) ?? null;
  const places = { machine: door.machine, results, suite };
  const [first, second] = [await readOperand(names[0], places), await readOperand(names[1], places)];
  if (first.kind === "arm" && second.kind === "arm") {
    const versions = { first: nameOf(first.arm, second.arm), second: nameOf(second.arm, first.arm) };
    return armSides(first.arm, second.arm, { call, versions });
  }
  if (first.kind === "version" && second.kind === "version") {
    const ran = await runVersions({ first, second }, call);
    if (ran === "interrupted") return ran;
    const versions = { first: first.name, second: second.name };
    const sides = await armSides(ran.arms.first, ran.arms.second, { call, versions });
    return { ...sides, skills: ran.skills };
  }
  if (first.kind === "run" && second.kind === "run") return runSides(first, second, call);
  if (first.kind === "text" && second.kind === "text") return textSides(first, second, call);
  for (const operand of [first, second]) if (isNowhere(operand)) throw notFound(operand.name);
  throw new UserError(
    "compare/mixed",
    `${names[0]} is ${WORDS[first.kind]}, ${names[1]} is ${WORDS[second.kind]}`,
    {
      hint: "compare two of the same kind: two iterations, two runs, two text files, or two versions of a skill",
    },
  );
}

const WORDS: Readonly<Record<Operand["kind"], string>> = {
  arm: "an iteration",
  run: "a single run",
  text: "a text file",
  version: "a version of a skill",
};

/** By number and variant where these tell the two apart, else as it was named. */
function nameOf(own: IterationArm, other: IterationArm): string {
  if (own.number !== other.number) return `iteration-${own.number}`;
  return own.variant === other.variant ? own.name : `iteration-${own.number} (${own.variant})`;
}
