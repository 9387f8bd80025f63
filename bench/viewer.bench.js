import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { hasChromium, openViewer } from "./viewer/open-viewer.js";

const GIGABYTE = 1e9;
const EVENTS = 300_000;
const STEPS = 100_000;
const DIFF_LINES = 400_000;
const WORD = "Rumpelstiltskin";

export default {
  what: "assay view in Chromium: 10,000 runs, a transcript of 1 GB, search in 1 GB, two runs of 100,000 steps",
  async measure(parts) {
    if (!hasChromium) return [{ label: "skipped", value: "there is no Chromium on this machine" }];
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    try {
      makeAll(folder, parts);
      const load = loadavg()[0] ?? 0;
      const measured = await measureIn(folder);
      return [
        {
          label: "load of the machine before; the bars are for one that does nothing else",
          value: load.toFixed(1),
        },
        ...measured,
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** One part that breaks does not hide the others. */
export async function measureIn(folder) {
  const viewer = await openViewer(folder);
  try {
    const measured = [];
    for (const one of [manyRuns, longTranscript, search, alignment, diff, blindReview])
      measured.push(
        ...(await one(viewer).catch((error) => [{ label: one.name, value: error.stack, met: false }])),
      );
    return measured;
  } finally {
    await viewer.close();
  }
}

export function makeAll(folder, { makeIteration, makeTranscript, writeChanged }) {
  const root = join(folder, ".assay");
  makeIteration(root, { suite: "many", cases: 1250, checks: 4, runs: 4 });
  const [long] = makeIteration(root, { suite: "long", cases: 1, checks: 2, runs: 1 }).values();
  makeTranscript(long, { events: EVENTS, bytesEach: GIGABYTE / EVENTS });
  const searched = [...makeIteration(root, { suite: "searched", cases: 10, checks: 2, runs: 5 }).values()];
  const events = EVENTS / searched.length;
  for (const path of searched)
    makeTranscript(path, { events, bytesEach: GIGABYTE / EVENTS, word: { text: WORD, each: 1000 } });
  const steps = makeIteration(root, { suite: "steps", cases: 1, checks: 2, runs: 1 }).values();
  for (const path of steps) makeTranscript(path, { events: STEPS, bytesEach: 400, changeEach: 10 });
  const changes = [{ path: "table.csv", change: "modified", bytes: 1, sha256: null, captured: true }];
  const [changed] = makeIteration(root, { suite: "changed", cases: 1, checks: 2, runs: 1, changes }).values();
  makeTranscript(changed, { events: 30, bytesEach: 300 });
  writeChanged(changed, "table.csv", DIFF_LINES);
  makeIteration(root, { suite: "voted", cases: 10, checks: 2, runs: 4 });
}

const runAddress = (skill, more = "") =>
  `run?skill=${skill}&n=1&trial=${encodeURIComponent("case-0/with_skill/run-1")}${more}`;

async function manyRuns(viewer) {
  const tab = await viewer.tab();
  const grid = await twice(tab, "iteration?skill=many&n=1", ".case-line");
  await tab.page.keyboard.press("f");
  await tab.page.locator('button[aria-pressed="true"]').first().waitFor();
  await tab.close();
  return [
    within("10,000 runs: until their grid can be used, never seen before", grid.first, 1000, grid.beside),
    {
      label: "10,000 runs: transferred, app included",
      value: `${(grid.bytes / 1e6).toFixed(2)} MB`,
      bar: "<= 1 MB",
      met: grid.bytes <= 1e6,
    },
  ];
}

async function longTranscript(viewer) {
  const tab = await viewer.tab();
  const first = await tab.shows(runAddress("long"), ".step-line");
  const { page } = tab;
  await page
    .getByText(/^300k steps/)
    .first()
    .waitFor({ timeout: 120_000 });
  const seconds = [];
  for (const part of [1, 0.5, 0.123, 0.9]) {
    const started = performance.now();
    const step = await page
      .locator(".virtual")
      .first()
      .evaluate((box, at) => {
        box.scrollTop = at * (box.scrollHeight - box.clientHeight);
        return at;
      }, part);
    const near = Math.round(step * (EVENTS - 1));
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll(".step-line")].some(({ textContent }) => {
          const found = /step (\d+)/.exec(textContent ?? "")?.[1];
          return found !== undefined && Math.abs(Number(found) - wanted) < 400;
        }),
      near,
      { timeout: 120_000 },
    );
    seconds.push(performance.now() - started);
  }
  const again = await tab.shows(runAddress("long", "&event=299999"), ".step.active");
  const megabytes = await tab.megabytes();
  await tab.close();
  return [
    within("1 GB, 300,000 events: first screen, never seen before", first, 1000),
    within("the same: any other place, until its texts are there", Math.max(...seconds), 1000),
    within("the same: its last event by its address", again, 1000),
    {
      label: "the same: what the tab holds",
      value: `${megabytes.toFixed(0)} MB`,
      bar: "<= 300 MB",
      met: megabytes <= 300,
    },
  ];
}

async function search(viewer) {
  const tab = await viewer.tab();
  await tab.shows("iteration?skill=searched&n=1", ".case-line");
  const { page } = tab;
  const field = page.locator('input[name="words"]');
  await field.fill(WORD);
  const started = performance.now();
  await field.press("Enter");
  await page.locator(".hit").first().waitFor();
  const first = performance.now() - started;
  await page
    .getByText(/^300 hits?\b/)
    .first()
    .waitFor({ timeout: 120_000 });
  const all = performance.now() - started;
  await tab.close();
  return [
    within("search in 1 GB, 100 transcripts: first hit", first, 1000),
    within("the same: exact count of all 300", all, 10_000),
  ];
}

async function alignment(viewer) {
  const tab = await viewer.tab();
  const [a, b] = ["with_skill", "without_skill"].map((arm) =>
    encodeURIComponent(`steps@1/case-0/${arm}/run-1`),
  );
  const { first, beside } = await twice(tab, `compare?skill=steps&n=1&a=${a}&b=${b}`, ".pair");
  await tab.close();
  return [within("two runs of 100,000 steps, aligned and shown, never seen before", first, 1000, beside)];
}

/** What counts is the first time; the second is told beside it. */
async function twice(tab, address, selector) {
  const first = await tab.shows(address, selector);
  const bytes = tab.transferred();
  return { first, bytes, beside: `the second time ${ms(await tab.shows(address, selector))}` };
}

async function diff(viewer) {
  const tab = await viewer.tab();
  const took = await tab.shows(
    runAddress("changed", "&file=table.csv&area=outputs&view=diff"),
    ".patch .added",
  );
  const last = `line ${DIFF_LINES - 2} is`;
  await tab.page.locator(".patch .virtual").evaluate((box) => (box.scrollTop = box.scrollHeight));
  await tab.page.getByText(last).first().waitFor({ timeout: 60_000 });
  await tab.close();
  return [{ label: `a diff of ${DIFF_LINES} lines: to its last line`, value: ms(took) }];
}

/** Every vote waits until it is counted and the next pair is in sight, as a person would. */
async function blindReview(viewer) {
  const tab = await viewer.tab();
  const { page } = tab;
  await tab.shows("blind?skill=voted&n=1", ".blind .markdown");
  const votes = Number(/of (\d+) pair/.exec(await page.locator(".facts").textContent())?.[1]);
  const started = performance.now();
  for (let vote = 1; vote <= votes; vote++) {
    await page.keyboard.press(String(vote % 3));
    await page
      .getByText(new RegExp(`^${vote} of `))
      .first()
      .waitFor();
    await page.locator(".blind .markdown").nth(1).waitFor();
  }
  const took = performance.now() - started;
  await tab.close();
  const perMinute = Math.floor((60_000 / took) * votes);
  return [
    {
      label: `blind review by keyboard, ${votes} pairs: votes a minute that the viewer keeps up with`,
      value: String(perMinute),
      bar: ">= 20",
      met: perMinute >= 20,
    },
  ];
}

function within(label, milliseconds, bar, beside = "") {
  return {
    label,
    value: `${ms(milliseconds)}${beside === "" ? "" : ` (${beside})`}`,
    bar: `<= ${ms(bar)}`,
    met: milliseconds <= bar,
  };
}

function ms(milliseconds) {
  return `${Math.round(milliseconds)} ms`;
}
