import { appendFile, readFile, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import type { LiveState } from "../../src/domain/pages.ts";
import { acquireLock } from "../../src/lib/file-lock.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { visit, type Visitor } from "./kit.ts";

it("follows an iteration as its journal grows, and ends with it", async () => {
  await using project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  const path = project.path(".assay/greeter/iteration-1/journal.jsonl");
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const first = lines.findIndex((line) => line.includes('"kind":"trial-finished"'));
  const add = (from: number, to?: number) => appendFile(path, `${lines.slice(from, to).join("\n")}\n`);
  await writeFile(path, "");
  await add(0, first);
  const attempt = await acquireLock(project.path(".assay/greeter/iteration-1/runner.lock"));
  if (!attempt.acquired) throw new Error("the lock is taken");
  await using visitor = await visit(project.root);
  const states = liveStates(visitor);
  const begun = (await states.next()).value;
  expect(begun).toMatchObject({ progress: "running", planned: 2, finished: 0 });
  expect(begun?.running.length).toBeGreaterThan(0);
  await add(first, first + 1);
  const going = (await states.next()).value;
  expect(going).toMatchObject({ progress: "running", finished: 1, ended: [{ status: "completed" }] });
  await add(first + 1);
  await attempt.lock.release();
  let last: LiveState | null = null;
  for await (const state of states) last = state;
  expect(last).toMatchObject({ progress: "complete", planned: 2, finished: 2, graded: 2, running: [] });
});

async function* liveStates({ viewer, host, cookie }: Visitor): AsyncGenerator<LiveState, undefined> {
  const path = `/api/${request.live({ skill: "greeter", n: 1 })}`;
  const to = { host: "127.0.0.1", port: viewer.port, path, headers: { host, cookie }, agent: false };
  const reply = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    get(to, resolve).on("error", reject);
  });
  for await (const line of createInterface({ input: reply })) {
    if (line === "event: end") return undefined;
    if (line.startsWith("data: ")) yield JSON.parse(line.slice(6)) as LiveState;
  }
  return undefined;
}
