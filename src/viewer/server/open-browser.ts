import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Machine } from "../../machine.ts";

/**
 * Opens an address in the person's browser; null: there is none that can be seen from here. Never waits for it. Everybody on
 * the machine can read the words of a command, and the address lets in whoever has it: so the browser is given a file that only
 * this user can read, which leads there. Disposing of it removes the file.
 */
export async function openBrowser(
  url: string,
  { env }: Pick<Machine, "env">,
): Promise<AsyncDisposable | null> {
  const program = browserOf(env);
  if (program === null) return null;
  const folder = await mkdtemp(join(tmpdir(), "assay-view-"));
  const page = join(folder, "open.html");
  await writeFile(page, leadingTo(url), { mode: 0o600, flag: "wx" });
  const [name, ...args] = program;
  const child = spawn(name, [...args, page], { stdio: "ignore", detached: true, env: { ...env } });
  child.on("error", () => {});
  child.unref();
  return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

function leadingTo(url: string): string {
  const target = url.replaceAll("&", "&amp;").replaceAll('"', "%22");
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${target}"><title>Assay</title>\n`;
}

function browserOf(env: Machine["env"]): readonly [string, ...string[]] | null {
  const isSet = (name: string) => (env[name] ?? "") !== "";
  if (isSet("SSH_CONNECTION") || isSet("CI")) return null;
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["explorer.exe"];
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") ? ["xdg-open"] : null;
}
