import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../../support/built-command.ts";
import { assay } from "../../support/command-line.ts";
import { greeterProject, RUN } from "../../support/project.ts";
import { environment } from "../../support/run-node.ts";
import type { TempTree } from "../../support/temp-tree.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { HOSTILE_TEXT, touchEverything } from "../support/hostile.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><image href="http://stranger.example/x.png"/></svg>`;
const PAGE = `<script>alert(1)</script><img src=http://stranger.example/x.png onerror=alert(1)>`;
const NAME = '"><img src=x onerror=alert(1)>';

/** Hostile wherever an agent, its files or the evals can say something. */
const REPLIES = [
  { when: { prompt: "Ada" }, steps: [{ skill: "greeter" }, { text: `Hello Ada\n\n${HOSTILE_TEXT}` }] },
  {
    when: { prompt: "Bob" },
    steps: [
      { write: { path: "bob.txt", content: HOSTILE_TEXT } },
      { write: { path: "drawing.svg", content: SVG } },
      { write: { path: "page.html", content: PAGE } },
      { write: { path: `${NAME}.md`, content: HOSTILE_TEXT } },
      { write: { path: "rows.csv", content: `a,b\n"${HOSTILE_TEXT.replaceAll('"', '""')}",${NAME}\n` } },
      { write: { path: "tree.json", content: JSON.stringify({ [NAME]: HOSTILE_TEXT }) } },
      { text: `Done, says the Rumpelstilt ${NAME}` },
    ],
  },
];

describe.skipIf(!hasChromium)("a saved report of what a hostile agent did", () => {
  let browser: Browser;
  let project: TempTree;
  let built: Awaited<ReturnType<typeof builtCommand>>;
  const report = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [built.path, "report", ...args], {
      cwd: project.root,
      env: environment(project.root),
    });
  beforeAll(async () => {
    [browser, built, project] = await Promise.all([openChromium(), builtCommand(), greeterProject(REPLIES)]);
    const evals = project.path("skills/greeter/evals/evals.json");
    const given = JSON.parse(await readFile(evals, "utf8")) as { evals: { assay: { checks: unknown[] } }[] };
    for (const { assay: own } of given.evals)
      own.checks.push({ type: "contains", needle: NAME, text: `says ${HOSTILE_TEXT}` });
    await writeFile(evals, JSON.stringify(given));
    await assay(RUN, { cwd: project.root });
    await report("--out", "report.html");
    await report("--out", "site");
  });
  afterAll(async () => {
    await browser?.close();
    await built?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  it.each(["report.html", "site/index.html"])(
    "shows every screen of %s as text, and asks nobody",
    async (file) => {
      await using watched = await watchedPage(browser);
      const address = pathToFileURL(project.path(file)).href;
      const run = (trial: string) => `run?skill=greeter&n=1&trial=${encodeURIComponent(trial)}`;
      const screens = [
        "overview",
        "iteration?skill=greeter&n=1&open=1,2",
        run("1/with_skill/run-1"),
        run("2/with_skill/run-1"),
      ];
      for (const screen of screens) {
        await watched.page.goto("about:blank");
        await watched.page.goto(`${address}#/${screen}`);
        await touchEverything(watched.page);
      }
      expect(watched.misdeeds).toEqual(NO_MISDEEDS);
    },
  );

  it("can be searched", async () => {
    await using watched = await watchedPage(browser);
    const { page, misdeeds } = watched;
    await page.goto(`${pathToFileURL(project.path("report.html")).href}#/iteration?skill=greeter&n=1`);
    const hit = await searched(page, "rumpelSTILT");
    await hit.click();
    await page.locator(".step", { hasText: "Rumpelstilt" }).first().waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("takes feedback, keeps it in the browser, and gives it back as feedback.json", async () => {
    await using watched = await watchedPage(browser, { acceptDownloads: true });
    const { page, misdeeds } = watched;
    const address = `${pathToFileURL(project.path("report.html")).href}#/run?skill=greeter&n=1&trial=1%2Fwith_skill%2Frun-1`;
    await page.goto(address);
    await page.getByRole("textbox", { name: "What should be different?" }).fill("Greet more warmly.");
    await page.getByRole("button", { name: "Disagree" }).first().click();
    await page.reload();
    await page.getByRole("textbox", { name: "What should be different?" }).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download feedback.json" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("feedback.json");
    const file = JSON.parse(await readFile(await download.path(), "utf8")) as object;
    expect(file).toMatchObject({
      status: "in_progress",
      reviews: [
        { run_id: "eval-1-with_skill-run-1", feedback: "Greet more warmly.", checks: [{ agrees: false }] },
      ],
    });
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("has the same bytes each time it is written", async () => {
    const first = await readFile(project.path("report.html"));
    await report("--out", "again.html");
    expect((await readFile(project.path("again.html"))).equals(first)).toBe(true);
    expect((await readFile(project.path("site/index.html"))).equals(first)).toBe(true);
  });
});

async function searched(page: Page, words: string) {
  const field = page.locator('input[name="words"]');
  await field.fill(words);
  await field.press("Enter");
  await page.getByText("1 hit in 1 run").waitFor();
  return page.locator(".hit").first();
}
