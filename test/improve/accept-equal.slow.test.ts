import { expect, it } from "vitest";
import { withStandIns } from "../support/stand-in.ts";
import { countingProject } from "./counting-drafts.ts";

const isDraft = (skill: string) => !skill.includes("Draft 0.");

it(
  "a version that is no better but costs less is adopted only with --accept-equal",
  { timeout: 600_000 },
  async () => {
    await using tree = await countingProject(6, {
      agent: (skill) => (isDraft(skill) ? "alpha, short" : "alpha, at length"),
      tokens: (skill) => (isDraft(skill) ? 100 : 1000),
    });
    const improve = (...args: readonly string[]) =>
      withStandIns(tree, "improve", "writer", "--rounds", "1", "--runs", "1", "--fresh-runs", "8", ...args);
    const refused = await improve();
    expect(refused.err).toContain("not confirmed, so v1 is not adopted");
    expect(refused.out).toBe("");
    const accepted = await improve("--accept-equal");
    expect(accepted.err).toContain("accepted: v1 is not worse than v0 and costs less");
    expect(accepted.err).toContain("agents: nothing new run");
    expect(accepted.out).toContain("+Write. Draft 1.");
  },
);
