import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../../support/built-command.ts";
import { environment } from "../../support/run-node.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { enter, realViewer } from "../support/real-viewer.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

describe.skipIf(!hasChromium)("assay view after assay demo", () => {
  let browser: Browser;
  let home: string;
  let results: string;
  let built: Awaited<ReturnType<typeof builtCommand>>;
  beforeAll(async () => {
    [browser, built, home] = await Promise.all([
      openChromium(),
      builtCommand(),
      mkdtemp(join(tmpdir(), "view-home-")),
    ]);
    await cp(new URL("../../../examples", import.meta.url), join(dirname(dirname(built.path)), "examples"), {
      recursive: true,
    });
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [built.path, "demo", "csv-report"],
      { env: { ...environment(home), TMPDIR: home }, maxBuffer: 1e8 },
    );
    results = /\S*assay-demo-\w+/.exec(`${stdout}${stderr}`)?.[0] ?? "";
  });
  const started = () => realViewer(built.path, home, [results]);
  afterAll(async () => {
    await browser?.close();
    await rm(home, { recursive: true, force: true });
    await built?.[Symbol.asyncDispose]();
  });

  it("lets the browser in by its link, and shows what was run down to the evidence", async () => {
    await using viewer = await started();
    await using watched = await watchedPage(browser);
    const { page, misdeeds } = watched;
    await page.goto(viewer.link);
    await page.getByRole("link", { name: "csv-report" }).first().waitFor();
    expect(page.url()).not.toContain("token");
    await page.getByRole("link", { name: "csv-report" }).first().click();
    await page.getByRole("heading", { name: "2 cases" }).waitFor();
    await page.getByText("Better on these 2 cases").first().waitFor();
    const armNames = await page.locator(".case-line").first().locator(".arm-name").allTextContents();
    expect(armNames).toEqual(["with skill", "without"]);
    await page.getByRole("button", { name: "orders" }).click();
    await page.locator(".check-row .peek a").first().click();
    await page.getByRole("button", { name: "“Rows: 6”" }).first().click();
    await page.locator(".lines .lit", { hasText: "Rows: 6" }).waitFor();
    await page.locator(".step", { hasText: "csv-report activated" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("marks each run of a trigger query by whether the skill fired, and opens the runs behind a count", async () => {
    await using viewer = await started();
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, "triggers?skill=csv-report&n=1");
    await page.getByRole("heading", { name: "4 queries" }).waitFor();
    expect(await page.locator(".queries .marks .mark.passed").count()).toBe(12);
    const fired = page.locator("tr", { hasText: "csv-report" }).getByRole("button", { name: "6" });
    await fired.click();
    await page.locator(".cell-runs a").first().waitFor();
    expect(await page.locator(".cell-runs a").count()).toBe(6);
  });

  it("compares with the iteration before it only what both asked", async () => {
    await using viewer = await started();
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, "iteration?skill=csv-report&n=2");
    await page.getByRole("heading", { name: "Since #1" }).waitFor();
    await page.getByText("All shared checks together: no change.").waitFor();
    expect(await page.getByText("removed", { exact: true }).count()).toBe(0);
    expect(await page.getByText("12 of 12 runs counted").count()).toBe(1);
  });
});
