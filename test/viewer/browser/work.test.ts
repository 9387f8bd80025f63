import { chmod, readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../../support/built-command.ts";
import { assay } from "../../support/command-line.ts";
import { BENCH, greeters, HELPS, SKILL } from "../../support/greeters.ts";
import type { TempTree } from "../../support/temp-tree.ts";
import { FIRE_CANARY, run, SHOULD, SHOULD_NOT, triggerProject } from "../../support/trigger-project.ts";
import { turnstile, until } from "../../support/turnstile.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { enter, realViewer } from "../support/real-viewer.ts";
import { NO_MISDEEDS, watchedPage } from "../support/watched-page.ts";

const RUN_PAGE = "run?skill=greeter&n=1&trial=1%2Fwith_skill%2Frun-1";
const TEXT = SKILL("Say Hello.\nName `names.txt` in your answer.");
const REPLIES = [
  { when: { skill: true }, steps: [{ skill: "greeter" }, { text: "Hello, as names.txt says" }] },
  { steps: [{ text: "Bye" }] },
];

interface FeedbackFile {
  readonly status: string;
  readonly reviews: readonly { readonly run_id: string; readonly feedback: string }[];
}

/** The real server, over what the real command left. */
describe.skipIf(!hasChromium)("somebody who works with the viewer", () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof builtCommand>>;
  let project: TempTree;
  beforeAll(async () => {
    [browser, built, project] = await Promise.all([
      openChromium(),
      builtCommand(),
      greeters(4, REPLIES, { "skills/greeter/SKILL.md": TEXT }),
    ]);
    await assay([...BENCH, "--runs", "2"], { cwd: project.root });
  });
  afterAll(async () => {
    await browser?.close();
    await project?.[Symbol.asyncDispose]();
    await built?.[Symbol.asyncDispose]();
  });
  const feedback = async () => {
    const path = project.path(".assay/greeter/iteration-1/feedback.json");
    return JSON.parse(await readFile(path, "utf8")) as FeedbackFile;
  };
  const box = (page: Page) => page.getByRole("textbox", { name: "What should be different?" });
  const isSaved = (page: Page) =>
    page.locator("section[aria-label=Feedback]").getByText("saved", { exact: true }).waitFor();

  it("writes in two tabs at once, and finds both texts and the end of the review", async () => {
    await using viewer = await realViewer(built.path, project.root);
    await using watched = await watchedPage(browser);
    const context = watched.page.context();
    const first = await enter(context, viewer.link, RUN_PAGE);
    const second = await context.newPage();
    await second.goto(first.url());
    await box(second).waitFor();
    await box(first).fill("Too short.");
    await isSaved(first);
    await box(second).fill("Too loud.");
    await isSaved(second);
    // The second tab shows what the first one wrote, and goes on from there.
    await second.waitForFunction("document.querySelector('textarea').value.includes('Too short.')");
    await box(second).press("End");
    await box(second).pressSequentially(" Really.");
    await isSaved(second);
    await first.getByRole("button", { name: "Mark the review complete" }).click();
    await first.getByRole("button", { name: "The review is complete" }).waitFor();
    await until(async () => {
      const { status, reviews } = await feedback();
      const words = reviews.find(({ run_id }) => run_id === "eval-1-with_skill-run-1")?.feedback ?? "";
      const isWhole = ["Too short.", "Too loud.", "Really."].every((part) => words.includes(part));
      return status === "complete" && isWhole;
    });
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });

  it("goes on typing while the server is killed, and loses nothing when it is back", async () => {
    const port = String(await freePort());
    const before = await realViewer(built.path, project.root, ["--port", port]);
    await using watched = await watchedPage(browser);
    const context = watched.page.context();
    const page = await enter(
      context,
      before.link,
      RUN_PAGE.replace("with_skill%2Frun-1", "with_skill%2Frun-2"),
    );
    await box(page).fill("Before the crash.");
    await isSaved(page);
    await before.killed();
    await box(page).fill("Before the crash. And after it.");
    await page.getByText("Not saved yet: The server does not answer.").waitFor();
    await using after = await realViewer(built.path, project.root, ["--port", port]);
    await (await enter(context, after.link, "overview")).close();
    await isSaved(page);
    const said = async () =>
      (await feedback()).reviews.find(({ run_id }) => run_id === "eval-1-with_skill-run-2")?.feedback;
    await until(async () => (await said()) === "Before the crash. And after it.");

    await after.killed();
    await box(page).fill("Closed in time.");
    await page.getByText("Not saved yet: The server does not answer.").waitFor();
    await page.close();
    await using last = await realViewer(built.path, project.root, ["--port", port]);
    // The same browser, another tab: what the closed one left is sent from here.
    const again = await enter(context, last.link, RUN_PAGE);
    await box(again).waitFor();
    await until(async () => (await said()) === "Closed in time.");
    expect((await feedback()).status).toBe("complete");
  });

  it("votes blind by keyboard, and finds the votes in another browser", async () => {
    await using viewer = await realViewer(built.path, project.root);
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, "blind?skill=greeter&n=1");
    await page.getByText("0 of 8 pairs").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("with skill");
    for (let vote = 1; vote <= 7; vote++) {
      await page.keyboard.press(vote % 3 === 0 ? "0" : vote % 2 === 0 ? "2" : "1");
      await page.getByText(`${vote} of 8 pairs`).waitFor();
    }
    await page.getByText(/you agree with .*all checks on \d of [1-9]/).waitFor();
    await page.getByText("· saved").waitFor();
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
    await using later = await realViewer(built.path, project.root);
    await using another = await watchedPage(browser);
    const other = await enter(another.page.context(), later.link, "blind?skill=greeter&n=1");
    await other.getByText("7 of 8 pairs").waitFor();
    await other.keyboard.press("1");
    await other.getByText(/skill preferred \d, not \d, equal \d/).waitFor();
  });

  it("sees what it answered before, and what was said of that", async () => {
    await using own = await greeters(1, HELPS);
    const once = ["run", ...BENCH.slice(1)];
    await assay(once, { cwd: own.root });
    await using viewer = await realViewer(built.path, own.root);
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, RUN_PAGE);
    await box(page).fill("Say more.");
    await isSaved(page);
    await assay(once, { cwd: own.root });
    await page.goto(page.url().replace("n=1", "n=2"));
    await page.getByText("Before: Say more.").waitFor();
    await page.getByText("The answer in #1").click();
    await page.locator("details", { hasText: "Hello" }).waitFor();
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });

  it("sees which lines of the skill left traces, compares two runs, and searches all of them", async () => {
    await using viewer = await realViewer(built.path, project.root);
    await using watched = await watchedPage(browser);
    const { misdeeds } = watched;
    const page = await enter(watched.page.context(), viewer.link, "iteration?skill=greeter&n=1");
    await page.getByRole("link", { name: "Skill", exact: true }).click();
    await page.locator(".used-3", { hasText: "Name `names.txt` in your answer." }).waitFor();
    await page.getByText("taken up in 8").waitFor();
    await page.goBack();
    await page.getByRole("searchbox", { name: "Text in any transcript" }).fill("as names.txt says");
    await page.keyboard.press("Enter");
    await page.getByText("8 hits in 8 runs").waitFor();
    await page.locator(".hit").first().click();
    await page.locator(".step mark", { hasText: "as names.txt says" }).first().waitFor();
    await page.keyboard.press("c");
    await page.getByText(/First divergence: /).waitFor();
    await page.locator(".pair.differs").first().waitFor();
    await page.locator(".row", { hasText: "differs" }).first().waitFor();
    expect(misdeeds).toEqual(NO_MISDEEDS);
  });

  it("edits the trigger set, which the next run asks", async () => {
    await using own = await triggerProject({
      queries: [SHOULD, SHOULD_NOT],
      arms: `${FIRE_CANARY}\n*greet*) fire greeter ;;`,
    });
    await run(own);
    await using viewer = await realViewer(built.path, own.root);
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, "triggers?skill=greeter&n=1");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Add a query" }).click();
    await page.getByRole("textbox", { name: "Query" }).last().fill("greet Bob");
    await page.getByRole("button", { name: "Save to the file" }).click();
    await page.getByText("Saved. The next run asks these queries.").waitFor();
    const file = await readFile(own.path("skills/greeter/evals/trigger-eval.json"), "utf8");
    expect(JSON.parse(file)).toEqual([SHOULD, SHOULD_NOT, { query: "greet Bob", should_trigger: true }]);
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });

  it("follows a run, pauses and stops it", async () => {
    await using gate = await turnstile();
    await using own = await greeters(6, HELPS, { "agent.sh": gate.agent("Hello") });
    await chmod(own.path("agent.sh"), 0o755);
    const command = "run skills/greeter --harness command --command ./agent.sh --sandbox none -j 1";
    const running = assay(command.split(" "), { cwd: own.root });
    await gate.arrivals(1);
    await using viewer = await realViewer(built.path, own.root);
    await using watched = await watchedPage(browser);
    const page = await enter(watched.page.context(), viewer.link, "live?skill=greeter&n=1");
    await page.getByText("0 of 6 runs ended").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    gate.release(1);
    await page.getByText("1 of 6 runs ended").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("No new run starts; those under way finish.").waitFor();
    gate.release();
    expect((await running).exitCode).toBe(130);
    await page.getByRole("link", { name: "See the results" }).click();
    await page.getByRole("heading", { name: "greeter #1" }).waitFor();
    expect(watched.misdeeds).toEqual(NO_MISDEEDS);
  });
});

/** Free a moment ago; the viewer says so where it no longer is. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
