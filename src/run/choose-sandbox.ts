import { UserError } from "../domain/user-error.ts";
import { nearest } from "../lib/nearest.ts";
import { whyOverlayFails } from "./process/probe.ts";
import type { Sandbox } from "./sandbox.ts";
import type { BwrapOptions } from "./sandboxes/bwrap.ts";
import { sandboxes } from "./sandboxes/index.ts";

/** A sandbox that works here. */
export interface FoundSandbox {
  readonly name: string;
  /** Whether it mounts overlay workspaces in the folder it was tried in. */
  readonly overlay: boolean;
  /** What the user should know: why no better one is used, or that agents are not held at all. Null: nothing. */
  readonly note: string | null;
}

type Candidates = readonly {
  readonly name: string;
  readonly create: (options: BwrapOptions) => Sandbox;
}[];

/**
 * `auto` is the best one that works here, and never none: to run agents without a sandbox is the user's to decide, as is what
 * to do when one asked for by name does not work. `folder` is where workspaces will be.
 */
export async function findSandbox(
  name: string,
  folder: string,
  candidates: Candidates = sandboxes,
): Promise<FoundSandbox> {
  if (name === "auto") return best(candidates, folder);
  const candidate = candidates.find((one) => one.name === name);
  if (candidate === undefined) throw unknown(name, ["auto", ...candidates.map((one) => one.name)]);
  const sandbox = candidate.create({});
  const tried = await trial(sandbox, folder);
  if ("reason" in tried) throw unusable(sandbox, tried.reason);
  return { name, overlay: tried.overlay, note: sandbox.caution ?? (sandbox.contained ? null : UNHELD) };
}

/** Throws a UserError for a name that no sandbox has; whether it works here is not tried. */
export function requireSandboxName(name: string): void {
  const names = ["auto", ...sandboxes.map((one) => one.name)];
  if (!names.includes(name)) throw unknown(name, names);
}
const UNHELD = "running without a sandbox: agents can read and change this machine's files, as you can";

/** One that was found before, for a trial that must not see these folders. */
export function createSandbox(name: string, options: BwrapOptions): Sandbox {
  const found = sandboxes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no sandbox ${name}`);
  return found.create(options);
}

async function best(candidates: Candidates, folder: string): Promise<FoundSandbox> {
  const reasons: string[] = [];
  for (const { name, create } of candidates) {
    const sandbox = create({});
    if (!sandbox.contained) continue;
    const tried = await trial(sandbox, folder);
    if ("overlay" in tried)
      return { name, overlay: tried.overlay, note: reasons.length === 0 ? null : noteOn(sandbox, reasons) };
    reasons.push(`${name} does not work here: ${tried.reason}`);
  }
  throw new UserError("run/no-sandbox", `no sandbox works here, so nothing was run: ${reasons.join("; ")}`, {
    hint: `${INSTALL}; or run without one, where agents can read and change your files: --sandbox none, ASSAY_SANDBOX=none, or "sandbox": "none" in ~/.config/assay/config.json`,
  });
}

const INSTALL = "apt install bubblewrap (Debian, Ubuntu), and allow user namespaces";

/** One that mounts an overlay works; only where it does not, it is tried without. */
async function trial(
  sandbox: Sandbox,
  folder: string,
): Promise<{ readonly overlay: boolean } | { readonly reason: string }> {
  if (sandbox.contained && (await whyOverlayFails(sandbox, folder)) === null) return { overlay: true };
  const reason = await sandbox.unavailable();
  return reason === null ? { overlay: false } : { reason };
}

function noteOn(sandbox: Sandbox, reasons: readonly string[]): string {
  const but = sandbox.hidesFiles ? "" : ", so agents are contained but can read this machine's files";
  const caution = sandbox.caution === undefined ? "" : `; ${sandbox.caution}`;
  return `running with sandbox ${sandbox.name}${but} (${reasons.join("; ")})${caution}`;
}

function unknown(name: string, names: readonly string[]): UserError {
  const near = nearest(name, names);
  return new UserError("run/unknown-sandbox", `there is no sandbox ${JSON.stringify(name)}`, {
    hint: near === null ? `choose one of ${names.join(", ")}` : `did you mean ${JSON.stringify(near)}?`,
  });
}

function unusable(sandbox: Sandbox, reason: string): UserError {
  return new UserError(
    "run/sandbox-unavailable",
    `the sandbox ${sandbox.name} does not work here: ${reason}`,
    {
      hint: `${INSTALL}; or choose --sandbox auto`,
    },
  );
}
