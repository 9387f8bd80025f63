// Draws the pictures of the viewer in docs/images from the results of `assay demo`, in light and dark, wide and narrow.
// Needs `npm run build` and Chromium. Usage: node scripts/viewer-pictures.js [results folder]   (default: runs the demo first)
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COMMAND = join(ROOT, "bin", "assay.js");
const FOLDER = join(ROOT, "docs", "images");
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const ITERATION = { skill: "csv-report", n: "2" };
const RUN = { ...ITERATION, trial: "1/without_skill/run-1" };
const PAIR = {
  ...ITERATION,
  a: "csv-report@2/1/with_skill/run-1",
  b: "csv-report@2/1/without_skill/run-1",
};

const PICTURES = [
  { name: "viewer-overview", address: "overview", as: ["wide-light", "wide-dark"] },
  {
    name: "viewer-iteration",
    address: at("iteration", { ...ITERATION, open: "1" }),
    as: ["wide-light", "wide-dark", "narrow-light"],
  },
  { name: "viewer-skill", address: at("skill", ITERATION), as: ["wide-light"] },
  { name: "viewer-compare", address: at("compare", PAIR), as: ["wide-light", "narrow-dark"] },
  {
    name: "viewer-triggers",
    address: at("triggers", { ...ITERATION, n: "1" }),
    as: ["wide-light", "narrow-dark"],
  },
  { name: "viewer-blind", address: at("blind", ITERATION), as: ["wide-dark"] },
  { name: "viewer-run", address: at("run", RUN), as: ["wide-light", "wide-dark", "narrow-dark"] },
];

const results = process.argv[2] ?? demoResults();
const viewer = spawn(process.execPath, [COMMAND, "view", results, "--no-open"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await chromium.launch({
  executablePath: ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync) ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});
mkdirSync(FOLDER, { recursive: true });
try {
  const link = await firstLink(viewer);
  const entered = await browser.newContext();
  const first = await entered.newPage();
  await first.goto(link);
  await first.getByRole("heading", { name: "Skills" }).waitFor();
  const { cookies } = await entered.storageState();
  for (const { name, address, as } of PICTURES)
    for (const form of as) {
      const [size, colorScheme] = form.split("-");
      const context = await browser.newContext({
        viewport: SIZES[size],
        colorScheme,
        reducedMotion: "reduce",
      });
      await context.addCookies(cookies);
      const page = await context.newPage();
      await page.goto(new URL(`/${address}`, link).href);
      await page.locator("main h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(FOLDER, `${name}-${form}.png`) });
      await context.close();
    }
} finally {
  await browser.close();
  viewer.kill();
}

function at(screen, settings) {
  return `${screen}?${new URLSearchParams(settings)}`;
}

function demoResults() {
  const said = execFileSync(process.execPath, [COMMAND, "demo"], { encoding: "utf8", maxBuffer: 1e8 });
  return /\S*assay-demo-\w+/.exec(said)?.[0] ?? "";
}

async function firstLink({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const link = /http:\/\/\S+/.exec(line)?.[0];
    if (link !== undefined) return link;
  }
  throw new Error("the viewer printed no link");
}
