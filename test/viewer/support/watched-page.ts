import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** What a page did that no page of ours may do. */
export interface Misdeeds {
  readonly dialogs: string[];
  /** Requests to anything but the page's own address. */
  readonly strangers: string[];
  /** Errors on the console and in scripts. */
  readonly errors: string[];
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  readonly misdeeds: Misdeeds;
}

/** The viewer, files, and the parts of the browser itself: it shows PDFs with pages of its own. */
const OWN = /^(?:http:\/\/127\.0\.0\.1:|file:|data:|chrome:|chrome-extension:)/;

export const NO_MISDEEDS: Misdeeds = { dialogs: [], strangers: [], errors: [] };

export async function watchedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // A loaded machine may take long; only what never comes fails.
  context.setDefaultTimeout(60_000);
  const misdeeds: Misdeeds = { dialogs: [], strangers: [], errors: [] };
  const page = await context.newPage();
  page.on("dialog", (dialog) => {
    misdeeds.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error") misdeeds.errors.push(message.text());
  });
  page.on("pageerror", (error) => misdeeds.errors.push(String(error)));
  context.on("request", (request) => {
    const url = request.url();
    if (!OWN.test(url)) misdeeds.strangers.push(url);
  });
  return { page, misdeeds, [Symbol.asyncDispose]: () => context.close() };
}
