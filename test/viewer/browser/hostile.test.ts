import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltApp, served, staticPage } from "../support/app-page.ts";
import { buildApp } from "../support/build-app.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { HOSTILE_TEXT, HOSTILE_TEXTS, touchEverything } from "../support/hostile.ts";
import { madeResults, type Planted } from "../support/made-results.ts";
import { SCREENS } from "../support/screens.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

/** All together, and those whose beginning matters by themselves. */
const PLANTED = [HOSTILE_TEXT, HOSTILE_TEXTS["attributes"] ?? "", HOSTILE_TEXTS["names of objects"] ?? ""];

describe.skipIf(!hasChromium)("what a hostile agent wrote", () => {
  let browser: Browser;
  let app: BuiltApp;
  let folder: string;
  beforeAll(async () => {
    [browser, app, folder] = await Promise.all([
      openChromium(),
      buildApp(),
      mkdtemp(join(tmpdir(), "hostile-")),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(PLANTED)("stays text on every screen, served (%#)", async (text) => {
    await using server = await served(app, madeResults({ planted: plantedFrom(text) }));
    await using watched = await watchedPage(browser);
    for (const screen of Object.values(SCREENS)) {
      await watched.page.goto(`${server.url}/${screen}`);
      await touchEverything(watched.page);
    }
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });

  it.each(PLANTED)("stays text on every screen of a saved report (%#)", async (text) => {
    const file = join(folder, "report.html");
    writeFileSync(file, staticPage(app, madeResults({ planted: plantedFrom(text) })));
    await using watched = await watchedPage(browser);
    for (const screen of ["overview", "iteration", "run", "triggers", "improve"]) {
      await watched.page.goto("about:blank");
      await watched.page.goto(`${pathToFileURL(file).href}#/${SCREENS[screen]}`);
      await touchEverything(watched.page);
    }
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });
});

/** A file can be called anything but a path. */
function plantedFrom(text: string): Planted {
  return { text, path: `${text.replaceAll("/", "∕")}.md` };
}
