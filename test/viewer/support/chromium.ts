import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PROGRAM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

export const hasChromium = PROGRAM !== undefined;

/** The system's own, without its habit of calling home. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM ?? "/usr/bin/chromium",
    headless: true,
    timeout: 60_000,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
    ],
  });
}
