import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { ASSAY } from "../timing.js";

const PROGRAM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export const hasChromium = PROGRAM !== undefined;

/** `assay view` over a results folder, with a browser that it has let in. */
export async function openViewer(folder) {
  const server = spawn(process.execPath, [ASSAY, "view", folder, "--no-open"], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const browser = await chromium.launch({
    executablePath: PROGRAM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const link = await firstLink(server);
  const entered = await context.newPage();
  await entered.goto(link);
  await entered.locator("main h1").waitFor();
  await entered.close();
  const { origin } = new URL(link);
  return {
    /** A tab that has shown nothing yet. */
    tab: () => openTab(browser, context, origin),
    async close() {
      await browser.close();
      server.kill();
      await new Promise((ended) => server.once("exit", ended));
    },
  };
}

async function firstLink({ stdout }) {
  for await (const line of createInterface({ input: stdout })) if (line.startsWith("http://")) return line;
  throw new Error("assay view ended without a link");
}

async function openTab(browser, context, origin) {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  return {
    page,
    /** Milliseconds until something is in sight. */
    async shows(address, selector) {
      const started = performance.now();
      await page.goto(`${origin}/${address}`, { waitUntil: "commit" });
      await page.locator(selector).first().waitFor({ timeout: 120_000 });
      return performance.now() - started;
    },
    transferred: () => bytes,
    megabytes: () => rendererMegabytes(browser, origin, client),
    close: () => page.close(),
  };
}

/** What the tab's own process holds by itself; with what it shares where the system does not tell the two apart. */
async function rendererMegabytes(browser, origin, client) {
  await client.send("HeapProfiler.collectGarbage");
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const held = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => heldBy(id));
  return Math.max(...held);
}

function heldBy(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)[1]) / 1024;
}
