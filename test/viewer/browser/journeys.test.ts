import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltApp, served } from "../support/app-page.ts";
import { buildApp } from "../support/build-app.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { madeResults } from "../support/made-results.ts";
import { SCREENS } from "../support/screens.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

describe.skipIf(!hasChromium)("an author at the viewer", () => {
  let browser: Browser;
  let app: BuiltApp;
  beforeAll(async () => {
    [browser, app] = await Promise.all([openChromium(), buildApp()]);
  });
  afterAll(() => browser?.close());

  const opened = async (screen: string, results = madeResults()) => {
    const server = await served(app, results);
    const watched = await watchedPage(browser);
    await watched.page.goto(`${server.url}/${screen}`);
    return {
      ...watched,
      async [Symbol.asyncDispose]() {
        await watched[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  };

  it("goes from the overview to the evidence of a failure by keyboard alone", async () => {
    await using shown = await opened("overview");
    const { page, misdeeds } = shown;
    await page.getByText("Better on these 4 cases").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "csv-report #7" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText("says that there are 6 rows").waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("o");
    await page.getByRole("heading", { name: "orders" }).waitFor();
    await page.keyboard.press("]");
    await page.waitForURL(/run-2/);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "csv-report #7" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("sees only what failed, and finds cases by the words of their checks", async () => {
    await using shown = await opened(SCREENS["iteration"] ?? "");
    const { page } = shown;
    await page.getByRole("heading", { name: "4 cases" }).waitFor();
    await page.keyboard.press("f");
    await page.getByRole("heading", { name: "1 of 4 cases" }).waitFor();
    await page.keyboard.press("f");
    await page.keyboard.press("/");
    await page.keyboard.type("empty");
    await page.getByRole("heading", { name: "1 of 4 cases" }).waitFor();
    expect(page.url()).toContain("q=empty");
  });

  it("sees what a verdict rests on without leaving the grid", async () => {
    await using shown = await opened(SCREENS["iteration"] ?? "");
    const { page } = shown;
    await page.locator(".check-row .peek a").nth(3).hover();
    await page.getByRole("tooltip").getByText("names only one of them").waitFor();
    expect(await page.getByRole("tooltip").textContent()).toContain("Two prices are missing");
  });

  it("follows a quote to its place, and a line of the transcript to the checks that cite it", async () => {
    await using shown = await opened((SCREENS["run"] ?? "").replace(/&check.*$/, ""));
    const { page, misdeeds } = shown;
    await page.getByRole("button", { name: "Two prices are missing" }).click();
    await page.locator(".step.active mark", { hasText: "Two prices are missing: rows 2 and 5." }).waitFor();
    // What passed is folded.
    await page.locator(".check-title", { hasText: "says that there are 6 rows" }).click();
    await page.getByRole("button", { name: "“There are 6 rows.”" }).click();
    await page.locator(".lines .lit mark", { hasText: "There are 6 rows." }).waitFor();
    await page.locator(".check-title", { hasText: "writes report.md" }).click();
    await page.getByRole("button", { name: "Six rows, two missing values." }).click();
    await page.locator(".lines .lit", { hasText: "Six rows, two missing values." }).waitFor();
    await page.getByRole("button", { name: "Cited by: says that there are 6 rows" }).click();
    await page.locator(".check.active", { hasText: "says that there are 6 rows" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("hides and shows kinds of steps, and unfolds one", async () => {
    await using shown = await opened(SCREENS["run"] ?? "");
    const { page, misdeeds } = shown;
    await page.getByText("I should look at the file first.").waitFor();
    await page.getByRole("button", { name: "thinking" }).click();
    await page.getByText("I should look at the file first.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "usage" }).click();
    await page.getByText("1,840 tokens in, 612 out").first().waitFor();
    await page.getByRole("button", { name: "Bash python3 report.py" }).click();
    await page.locator(".detail", { hasText: "command: python3 report.py" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("looks at files in the form that fits them", async () => {
    await using shown = await opened(SCREENS["run"] ?? "");
    const { page, misdeeds } = shown;
    await page.locator('.file button[title="out/report.md"]').click();
    await page.locator(".markdown strong", { hasText: "two" }).waitFor();
    await page.getByRole("button", { name: "diff", exact: true }).click();
    await page.locator(".lines .added", { hasText: "# Report" }).waitFor();
    await page.locator('.file button[title="summary.csv"]').click();
    await page.getByRole("cell", { name: "name, first" }).waitFor();
    await page.locator('.file button[title="report.py"]').click();
    await page.locator(".token-word", { hasText: "import" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("is told where two runs part", async () => {
    await using shown = await opened(SCREENS["compare"] ?? "");
    const { page, misdeeds } = shown;
    await page.getByText("First divergence: step 2").waitFor();
    await page.locator(".pair.differs", { hasText: "csv-report activated" }).waitFor();
    await page.getByText("31 ids and times taken as equal").waitFor();
    await page.getByRole("button", { name: "7 equal steps" }).click();
    await page.locator(".pair", { hasText: "error" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("opens the transcript behind a cell of the confusion table", async () => {
    await using shown = await opened(SCREENS["triggers"] ?? "");
    const { page, misdeeds } = shown;
    await page.getByText("Right on 75 % (3 of 4, 45 to 95 %) of queries").waitFor();
    await page.getByRole("row", { name: "csv-report 6 2 1" }).getByRole("button", { name: "2" }).click();
    const runs = page.getByRole("region", { name: "Runs where spreadsheet-tools fired" }).getByRole("link");
    expect(await runs.count()).toBe(2);
    await runs.first().click();
    await page.waitForURL(/trial=triggers%2Fq1%2Frun-2/);
    expect({ ...misdeeds, errors: [] }).toEqual(NO_MISDEEDS);
  });

  it("reads what each version changed, and what fresh runs said of it", async () => {
    await using shown = await opened(SCREENS["improve"] ?? "");
    const { page, misdeeds } = shown;
    await page.getByText("62 % → 91 % against v0, fresh runs").waitFor();
    await page.getByRole("button", { name: "v3" }).click();
    await page.getByRole("heading", { name: "v2 → v3" }).waitFor();
    await page.locator(".lines .added", { hasText: "Name every missing value" }).waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("finds every key in a list, and learns what is wrong with an address", async () => {
    await using shown = await opened("overview");
    const { page, misdeeds } = shown;
    await page.getByText("Better on these 4 cases").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("failures only").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(page.url().replace("overview", "iteration?skill=nothing&n=1"));
    await page.getByRole("alert").getByText("No such page.").waitFor();
    expect({ ...misdeeds, errors: [] }).toEqual(NO_MISDEEDS);
  });
});
