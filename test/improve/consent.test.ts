import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import type { ImproveProject } from "../support/improve-kit.ts";
import { tempTree } from "../support/temp-tree.ts";
import { scriptedGreeter, SETUP } from "./scripted-greeter.ts";

describe("assay improve at a terminal", { timeout: 60_000 }, () => {
  it("shows a script before it asks whether to run it, once for all versions", async () => {
    await using made = await scriptedGreeter();
    const asked: { readonly question: string; readonly shown: string }[] = [];
    const { err } = await improve(made, (question, shown) => {
      asked.push({ question, shown });
      return "y";
    });
    expect(asked.map(({ question }) => question)).toEqual(["Run this script? [y/N] "]);
    expect(asked[0]?.shown).toContain(`  | ${SETUP}\n`);
    expect(err.split(SETUP)).toHaveLength(2);
    expect(err).toContain("v0: running the cases");
    expect(err).toContain("v1: running the cases");
  });

  it("runs nothing when the answer is no", async () => {
    await using made = await scriptedGreeter();
    const { exitCode, err } = await improve(made, () => "n");
    expect(err).toContain("the scripts were refused, so nothing was run");
    expect(exitCode).toBe(2);
  });
});

async function improve(made: ImproveProject, answer: (question: string, shown: string) => string) {
  await using home = await tempTree();
  const agent = ["--harness", "command", "--command", made.path("agent.sh"), "--sandbox", "none"];
  return await assay(
    ["improve", "skills/greeter", ...agent, "--runs", "1", "--rounds", "1", "--allow-missing", "10"],
    {
      cwd: made.root,
      env: { ...made.env, XDG_CONFIG_HOME: home.root },
      answer,
    },
  );
}
