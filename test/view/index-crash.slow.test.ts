import { once } from "node:events";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openResults } from "../../src/operations/view.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { builtCommand } from "../support/built-command.ts";
import { assay } from "../support/command-line.ts";
import { machineIn } from "../support/machine.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";
import { ask } from "./kit.ts";
import { startedViewer } from "./started-viewer.ts";

const ADA = { skill: "greeter", n: 1, trial: "1/with_skill/run-1" };
const TRANSCRIPT = ".assay/greeter/iteration-1/eval-1/with_skill/run-1/transcript.jsonl";
const KEPT = ".assay/cache/view/transcripts";
const EVENTS = 40_000;

/** With lines of all lengths, so that a wrong offset cannot hit a line's beginning by chance. */
async function longProject(): Promise<TempTree> {
  const project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  const lines = Array.from({ length: EVENTS }, (_, index) =>
    JSON.stringify({
      index,
      turn: 1,
      agent: null,
      kind: "message",
      role: "assistant",
      text: `event ${index} ${"x".repeat((index * 7919) % 1200)}`,
    }),
  );
  await writeFile(project.path(TRANSCRIPT), `${lines.join("\n")}\n`);
  return project;
}

const SHOWN = [0, 1, 57, 199].map((page) => Array.from({ length: 200 }, (_, at) => page * 200 + at));

/** The events of some pages to somebody else's process, with nothing remembered but what lies on the disk. */
async function shownIn(root: string): Promise<readonly (readonly (number | undefined)[])[]> {
  const results = await openResults({}, { machine: machineIn(root) });
  const { events, pageSize } = await results.timelineIndex(ADA);
  if (events !== EVENTS || pageSize !== 200) throw new Error(`${events} events, ${pageSize} to a page`);
  const pages = await Promise.all([0, 1, 57, 199].map((page) => results.timeline(ADA, page)));
  return pages.map((page) => page.events.map(({ event }) => event?.index));
}

it("shows the right lines after the server was killed at any moment of making an index", async () => {
  await using command = await builtCommand();
  await using project = await longProject();
  for (let round = 0; round < 10; round++) {
    const { child, url } = await startedViewer(command.path, project.root);
    const { host, pathname, search, port } = new URL(url);
    const entered = await ask(Number(port), `${pathname}${search}`, { headers: { host } });
    const headers = { host, cookie: String(entered.headers["set-cookie"]).split(";")[0] ?? "" };
    const asked = ask(Number(port), `/api/${request.timelineIndex(ADA)}`, { headers }).catch(() => null);
    await sleep(round * 12);
    child.kill("SIGKILL");
    await asked;
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    expect(await shownIn(project.root)).toEqual(SHOWN);
    // The next round makes it anew.
    await writeFile(project.path(TRANSCRIPT), await readFile(project.path(TRANSCRIPT)));
  }
});

it("makes an index anew that was cut anywhere, holds other bytes, or is of another transcript", async () => {
  await using project = await longProject();
  expect(await shownIn(project.root)).toEqual(SHOWN);
  const [name = ""] = await readdir(project.path(KEPT));
  const kept = project.path(`${KEPT}/${name}`);
  const whole = await readFile(kept, "utf8");
  for (const part of [0, 0.001, 0.3, 0.7, 0.95, 0.9999]) {
    await truncate(kept, Math.floor(whole.length * part));
    expect(await shownIn(project.root)).toEqual(SHOWN);
    await writeFile(kept, whole);
  }
  const index = JSON.parse(whole) as { pages: number[]; kinds: string };
  const wrong = [
    { ...index, pages: index.pages.slice(1) },
    { ...index, pages: index.pages.toReversed() },
    { ...index, pages: index.pages.map(() => null) },
    { ...index, pages: index.pages.map((at, page) => (page === index.pages.length - 1 ? at + 1 : at)) },
    { ...index, kinds: 7 },
    null,
    [],
  ];
  for (const one of wrong) {
    await writeFile(kept, JSON.stringify(one));
    expect(await shownIn(project.root)).toEqual(SHOWN);
  }
  await writeFile(kept, Buffer.alloc(whole.length));
  expect(await shownIn(project.root)).toEqual(SHOWN);
});
