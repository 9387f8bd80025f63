import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { until } from "../support/turnstile.ts";

const EVALS = "skills/greeter/evals/evals.json";
const [ADA] = GOOD_REPLIES;
const RUDE = { when: { prompt: "Bob" }, steps: [{ text: "Go away" }] };

describe("--watch", { timeout: 240_000 }, () => {
  it("runs what a change affects, all on a, what failed on f, and quits on q with the last exit code", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await using home = await tempTree();
    const watching = watchIn(project, home);
    await watching.waits(1);
    expect(watching.err()).toContain("watching 1 skill (2 files): a all, f failed, q quit");
    expect(await madeIn(project, 1)).toEqual(["1", "2"]);

    await edit(project, EVALS, "Greet Bob", "Greet Bob kindly");
    await watching.waits(2);
    expect(watching.err()).toContain("changed: skills/greeter/evals/evals.json");
    expect(await madeIn(project, 2)).toEqual(["2"]);

    await edit(project, EVALS, '"skill_name"', "skill_name");
    await watching.waits(3);
    expect(watching.err()).toContain("nothing was run, because some files cannot be used");
    await edit(project, EVALS, "skill_name", '"skill_name"');
    await watching.waits(4);

    watching.press("f");
    await watching.waits(5);
    expect(watching.err()).toContain("no case failed in the last iteration, so nothing runs");

    await writeFile(project.path("script.json"), JSON.stringify({ replies: [ADA, RUDE] }));
    watching.press("a");
    await watching.waits(6);
    watching.press("q");
    expect(await watching.ended).toBe(1);
    expect(watching.isListening()).toBe(false);
  });

  it("says plainly what to watch where nothing is there", async () => {
    await using project = await tempTree({ "assay.config.json": "{}" });
    await using home = await tempTree();
    const watching = watchIn(project, home, ["run", "--watch"]);
    expect(await watching.ended).toBe(2);
    expect(watching.err()).toContain("error: ");
  });
});

interface WatchedRun {
  readonly ended: Promise<number>;
  readonly err: () => string;
  readonly press: (key: string) => void;
  readonly isListening: () => boolean;
  /** Resolves when it has gone to wait so many times. */
  readonly waits: (count: number) => Promise<void>;
}

function watchIn(project: TempTree, home: TempTree, args = [...RUN, "--watch"]): WatchedRun {
  let err = "";
  let hear: ((key: string) => void) | null = null;
  const ended = main(args, {
    out: () => {},
    err: (text) => void (err += text),
    env: { PATH: process.env["PATH"], HOME: home.root },
    cwd: project.root,
    decorated: { out: false, err: false },
    columns: 100,
    interactive: false,
    ask: async () => "",
    keys: (listener) => {
      hear = listener;
      return () => void (hear = null);
    },
  });
  return {
    ended,
    err: () => err,
    press: (key) => hear?.(key),
    isListening: () => hear !== null,
    waits: (count) => until(() => err.split("\nwatching ").length > count && hear !== null),
  };
}

async function edit(project: TempTree, file: string, from: string, to: string): Promise<void> {
  const text = await readFile(project.path(file), "utf8");
  expect(text).toContain(from);
  await writeFile(project.path(file), text.replace(from, to));
}

async function madeIn(project: TempTree, iteration: number): Promise<readonly string[]> {
  const events = await journal(project.root, iteration);
  const made = events.flatMap((event) =>
    event.kind === "trial-finished" && event.run.reusedFrom === null ? [event.trial.caseId] : [],
  );
  return made.toSorted();
}
