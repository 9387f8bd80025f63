import type { Activation, Denial, Validity } from "../domain/run.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { Variant } from "../domain/trial.ts";
import { calledSkill, isSkillTool } from "./called-skill.ts";

/** What was seen of the skill in one run. */
export interface SkillSighting {
  readonly variant: Variant;
  /** The name the client knows the skill by. */
  readonly skill: string | null;
  /** Null where neither gateway nor client shows the listing. */
  readonly skillsOffered: readonly string[] | null;
  readonly activations: readonly Activation[];
  readonly denials: readonly Denial[];
}

/** Was the skill really there in a variant with it, and really absent in one without? */
export function judgeValidity(sighting: SkillSighting): Validity {
  const { variant, skill, skillsOffered, activations, denials } = sighting;
  if (skill === null) return { status: "verified" };
  const offered = skillsOffered === null ? null : skillsOffered.some((name) => isSameSkill(name, skill));
  // That we called it by name does not show that it was there.
  const taken = activations.some(({ skill: name, by }) => by !== "invocation" && isSameSkill(name, skill));
  if (variant === "without_skill" || variant === "inline") {
    if (offered === true) return invalid(`the baseline was offered the skill ${skill}`);
    if (taken) return invalid(`the baseline read or called the skill ${skill}`);
    return offered === null
      ? unverified("the client does not show which skills it offered")
      : { status: "verified" };
  }
  const refused = denials.some(
    ({ tool, input }) => isSkillTool(tool) && isSameSkill(calledSkill(input) ?? "", skill),
  );
  if (refused) return invalid(`the client refused the call of the skill ${skill}`);
  if (offered === false && !taken) return invalid(`the client did not offer the skill ${skill} to the model`);
  if (offered === null && !taken) return unverified("the client does not show which skills it offered");
  return { status: "verified" };
}

function invalid(reason: string): Validity {
  return { status: "invalid", reason };
}

function unverified(reason: string): Validity {
  return { status: "unverified", reason };
}
