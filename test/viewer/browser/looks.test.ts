import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../../src/viewer/api.ts";
import { type BuiltApp, served } from "../support/app-page.ts";
import { buildApp } from "../support/build-app.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { AT, madeResults } from "../support/made-results.ts";
import { SCREENS } from "../support/screens.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

describe.skipIf(!hasChromium)("every screen", () => {
  let browser: Browser;
  let app: BuiltApp;
  beforeAll(async () => {
    [browser, app] = await Promise.all([openChromium(), buildApp()]);
  });
  afterAll(() => browser?.close());

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)("can be read by everyone: %s, %i wide", async (colorScheme, width) => {
    await using server = await served(app, madeResults());
    await using watched = await watchedPage(browser, {
      colorScheme,
      viewport: { width, height: 844 },
      reducedMotion: "reduce",
      bypassCSP: true,
    });
    for (const screen of Object.values(SCREENS)) {
      await watched.page.goto(`${server.url}/${screen}`);
      await watched.page.locator("main h1").first().waitFor();
      const found = { screen, barriers: await barriers(watched.page), isWide: await isWide(watched.page) };
      expect(found).toEqual({ screen, barriers: [], isWide: false });
    }
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });

  it("stays up when one of its panels breaks", async () => {
    const { answers, ...rest } = madeResults();
    const iteration = answers[ask.iteration(AT)] as object;
    // As an answer of another version might be: a list is no list.
    const broken = { ...iteration, leftOut: 7 };
    await using server = await served(app, { ...rest, answers: { ...answers, [ask.iteration(AT)]: broken } });
    await using watched = await watchedPage(browser);
    await watched.page.goto(`${server.url}/${SCREENS["iteration"]}`);
    await watched.page.getByRole("alert").getByText("could not be shown").first().waitFor();
    expect(await watched.page.getByText("Better on these 4 cases").isVisible()).toBe(true);
    expect(await watched.page.getByRole("heading", { name: "4 cases" }).isVisible()).toBe(true);
    expect(await watched.page.getByRole("heading", { name: "Since #6" }).isVisible()).toBe(true);
  });
});

interface Barrier {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds that is serious. */
async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as readonly Barrier[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** What does not fit must scroll by itself, not the whole page. */
async function isWide(page: Page): Promise<boolean> {
  return (await page.evaluate("document.documentElement.scrollWidth > window.innerWidth")) as boolean;
}
