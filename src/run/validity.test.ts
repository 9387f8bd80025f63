import { describe, expect, it } from "vitest";
import type { Activation } from "../domain/run.ts";
import { judgeValidity, type SkillSighting } from "./validity.ts";

const LOADED: Activation = { skill: "pdf", by: "tool", event: 3 };

function validity(parts: Partial<SkillSighting>): string {
  const judged = judgeValidity({
    variant: "with_skill",
    skill: "pdf",
    skillsOffered: null,
    activations: [],
    denials: [],
    ...parts,
  });
  return judged.status === "verified" ? "verified" : `${judged.status}: ${judged.reason}`;
}

describe("a run with the skill", () => {
  it.each([
    [{ skillsOffered: ["other", "pdf"] }, "verified"],
    [{ skillsOffered: ["tools:pdf"] }, "verified"],
    [{ skillsOffered: ["other"] }, "invalid: the client did not offer the skill pdf to the model"],
    [{ skillsOffered: [] }, "invalid: the client did not offer the skill pdf to the model"],
    [{ skillsOffered: null }, "unverified: the client does not show which skills it offered"],
    [{ skillsOffered: null, activations: [LOADED] }, "verified"],
    [
      { skillsOffered: null, activations: [{ ...LOADED, by: "invocation" }] },
      "unverified: the client does not show which skills it offered",
    ],
    [{ skillsOffered: ["pdf-tools"] }, "invalid: the client did not offer the skill pdf to the model"],
    [
      { skillsOffered: ["pdf"], denials: [{ tool: "Skill", input: { skill: "pdf" } }] },
      "invalid: the client refused the call of the skill pdf",
    ],
    [
      { skillsOffered: ["pdf"], denials: [{ tool: "Skill", input: { command: "/tools:pdf" } }] },
      "invalid: the client refused the call of the skill pdf",
    ],
    [{ skillsOffered: ["pdf"], denials: [{ tool: "Skill", input: { skill: "pdf-forms" } }] }, "verified"],
    [{ skillsOffered: ["pdf"], denials: [{ tool: "Bash", input: { command: "pdf" } }] }, "verified"],
  ] as [Partial<SkillSighting>, string][])("%j is %s", (parts, expected) => {
    expect(validity(parts)).toBe(expected);
  });
});

describe("a baseline", () => {
  it.each([
    [{ skillsOffered: ["other"] }, "verified"],
    [{ skillsOffered: ["pdf"] }, "invalid: the baseline was offered the skill pdf"],
    [{ skillsOffered: null, activations: [LOADED] }, "invalid: the baseline read or called the skill pdf"],
    [{ skillsOffered: null }, "unverified: the client does not show which skills it offered"],
  ] as [Partial<SkillSighting>, string][])("%j is %s", (parts, expected) => {
    expect(validity({ ...parts, variant: "without_skill" })).toBe(expected);
  });

  it("without any skill under test has nothing to prove", () => {
    expect(validity({ variant: "without_skill", skill: null })).toBe("verified");
  });
});
