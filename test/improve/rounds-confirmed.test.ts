import { chmod, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { ImproveProject } from "../support/improve-kit.ts";
import { history, improve, JUDGE, project, runs, SKILL, suggests } from "./greeting-rounds.ts";

/** Passes its first run ever of a better word, as a lucky draft would, and none after that. */
async function withLuckyAgent(made: ImproveProject): Promise<ImproveProject> {
  const lucky = `#!/bin/bash
cat > /dev/null
echo run >> "${made.path(".assay/runs.txt")}"
if grep -q "hello, good" .claude/skills/greeter/SKILL.md && mkdir "${made.path(".assay/spent")}" 2> /dev/null
then echo "Hello, good and perfect."
else echo "Hello."
fi
`;
  await writeFile(made.path("agent.sh"), lucky);
  await chmod(made.path("agent.sh"), 0o755);
  made.git("commit", "-qam", "lucky");
  return made;
}

describe("a version that leads", { timeout: 60_000 }, () => {
  it("is applied once fresh runs confirm it, and only their numbers are told", async () => {
    await using made = await project();
    const { err, out, exitCode } = await improve(made, "--rounds", "1", "--apply");
    expect(err).toContain("at most 2 runs to explore, then 12 runs to confirm");
    expect(err).toContain("v1 leads: running it and v0 anew on all cases");
    expect(err).toContain("fresh runs, v1 against v0: Better on these 2 cases: 0 % -> 50 % (+50 points, ");
    expect(err).toContain("confirmed: v1 is better than v0");
    expect(out).toContain("+Say hello, good.");
    expect(exitCode).toBe(0);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL.replace("meh", "good"));
  });

  it("is not applied where it was lucky, and is not run anew for a second chance", async () => {
    await using made = await withLuckyAgent(await project());
    const first = await improve(made, "--rounds", "1", "--apply");
    expect(first.err).toContain("v1: leads");
    expect(first.err).toContain("not confirmed, so v1 is not adopted; it is in ");
    expect(first.err).toContain("not applied: fresh runs do not confirm that what was chosen is better");
    expect(first.out).toBe("");
    expect(first.exitCode).toBe(0);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
    expect((await history(made)).current_best).toBe("v0");
    const ran = await runs(made);
    const again = await improve(made, "--rounds", "1", "--apply");
    expect(again.err).toContain("not confirmed, so v1 is not adopted");
    expect(await runs(made)).toBe(ran);
  });

  it("is dropped after its first runs where it clearly falls behind", async () => {
    await using made = await project([suggests("meh", "good"), suggests("good", "awful"), ...JUDGE]);
    const { err } = await improve(made, "--runs", "10", "--rounds", "2");
    expect(err).toContain("v2: dropped early");
    const [train, fresh] = [10 + 10 + 1, 2 * 3 * 2];
    expect(await runs(made)).toBe(train + fresh);
  });
});
