import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { BrowserContext, Page } from "playwright-core";
import { environment } from "../../support/run-node.ts";

/** `assay view` as a process of its own. */
export interface RealViewer extends AsyncDisposable {
  readonly link: string;
  /** Gone at once, with no time for a last word. */
  readonly killed: () => Promise<void>;
}

export async function realViewer(
  command: string,
  cwd: string,
  args: readonly string[] = [],
): Promise<RealViewer> {
  const child = spawn(process.execPath, [command, "view", "--no-open", ...args], {
    cwd,
    env: environment(cwd),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const killed = async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    child.kill("SIGKILL");
    if (!isOver) await once(child, "exit");
  };
  return { link: await firstLink(child), killed, [Symbol.asyncDispose]: killed };
}

/** The link it prints; rejects when it ends without one. */
async function firstLink({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null)
    for await (const line of createInterface({ input: stdout })) {
      const link = /http:\/\/\S+/.exec(line)?.[0];
      if (link !== undefined) return link;
    }
  throw new Error("the viewer ended before it listened");
}

/** Lets a browser in by the link, then goes where it should. */
export async function enter(context: BrowserContext, link: string, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  await page.locator("main").waitFor();
  await page.goto(new URL(`/${address}`, link).href);
  return page;
}
