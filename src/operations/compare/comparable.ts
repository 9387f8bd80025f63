import { UserError } from "../../domain/user-error.ts";
import { type IterationArm, modelsOf } from "./arm.ts";

/** Throws where a comparison would say something about another thing than the skill; answers what a reader must know. */
export function requireComparable(
  first: IterationArm,
  second: IterationArm,
  cross: boolean,
  what: "iterations" | "runs" = "iterations",
): readonly string[] {
  const [one, two] = [first.state.iteration, second.state.iteration];
  if (one === null || two === null) throw new Error("an iteration was found without its start");
  if (one.suite !== two.suite) {
    throw new UserError(
      "compare/other-skill",
      `${first.name} is about the skill ${one.suite}, ${second.name} about ${two.suite}`,
      { hint: "compare two iterations of the same skill" },
    );
  }
  const sameArm = first.folder.root === second.folder.root && first.variant === second.variant;
  if (what === "iterations" && sameArm) {
    throw new UserError("compare/same", `${first.name} and ${second.name} are the same runs`, {
      hint: "assay bench --aa measures what chance alone does",
    });
  }
  const differences = [
    ...different("harness", [one.harness], [two.harness]),
    ...different("model", modelsOf(first), modelsOf(second)),
  ];
  if (differences.length > 0 && !cross) {
    throw new UserError("compare/cross", `the two were run differently: ${differences.join("; ")}`, {
      hint: "what differs may then be the harness or the model and not the skill; --cross compares them anyway",
    });
  }
  return differences.map((difference) => `run differently: ${difference}`);
}

/** What is not known cannot be said to differ. */
function different(
  what: string,
  one: readonly string[] | null,
  two: readonly string[] | null,
): readonly string[] {
  if (one === null || two === null) return [];
  const [before, after] = [one.join(", "), two.join(", ")];
  return before === after ? [] : [`${what} ${before} and ${after}`];
}
