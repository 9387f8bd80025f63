import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";
import { writeFile } from "node:fs/promises";

const [ADA, BOB] = GOOD_REPLIES;
const RUDE = { when: { prompt: "Bob" }, steps: [{ text: "Go away" }] };

describe("--last-failed", () => {
  it("runs only what the last iteration did not pass, in a new one", async () => {
    await using project = await greeterProject([ADA!, RUDE]);
    const at = { cwd: project.root };
    expect((await assay(RUN, at)).exitCode).toBe(1);
    await writeFile(project.path("script.json"), JSON.stringify({ replies: [ADA, BOB] }));
    const again = await assay([...RUN, "--last-failed"], at);
    expect(again.err).toContain("greeter: running 1 case that iteration-1 did not pass (2)");
    expect(again.exitCode).toBe(0);
    const begun = (await journal(project.root, 2)).flatMap((event) =>
      event.kind === "trial-started" ? [event.trial.caseId] : [],
    );
    expect(begun).toEqual(["2"]);
  });

  it("says so where nothing failed, and where nothing ran before", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    const first = await assay([...RUN, "--last-failed"], at);
    expect(first).toMatchObject({ exitCode: 2 });
    expect(first.err).toContain("greeter: there is no earlier iteration, so it is not known what failed");
    await assay(RUN, at);
    const second = await assay([...RUN, "--last-failed"], at);
    expect(second).toMatchObject({ exitCode: 2, out: "" });
    expect(second.err).toContain("no case failed in the last iteration, so nothing runs");
  });

  it("does not go together with --resume", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const outcome = await assay([...RUN, "--last-failed", "--resume"], { cwd: project.root });
    expect(outcome.exitCode).toBe(2);
    expect(outcome.err).toContain("--last-failed and --resume cannot be combined");
  });
});
