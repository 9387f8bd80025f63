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
  /** Why no better one is used; null when this is the best there is, or the one that was asked for. */
  readonly note: string | null;
}

type Candidates = readonly {
  readonly name: string;
  readonly create: (options: BwrapOptions) => Sandbox;
}[];

/**
 * `auto` is the best one that works here. One asked for by name that does not work is the user's to decide about. `folder` is
 * where workspaces will lie.
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
  return { name, overlay: tried.overlay, note: null };
}

/** Throws a UserError for a name that no sandbox has; whether it works here is not tried. */
export function requireSandboxName(name: string): void {
  const names = ["auto", ...sandboxes.map((one) => one.name)];
  if (!names.includes(name)) throw unknown(name, names);
}

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
    const tried = await trial(sandbox, folder);
    if ("overlay" in tried)
      return { name, overlay: tried.overlay, note: reasons.length === 0 ? null : noteOn(sandbox, reasons) };
    reasons.push(`${name} does not work here: ${tried.reason}`);
  }
  throw new UserError("run/no-sandbox", `no sandbox works here: ${reasons.join("; ")}`);
}

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
  const means = sandbox.contained
    ? "agents are contained but can read this machine's files"
    : "agents can read and change this machine's files";
  return `running with sandbox ${sandbox.name}, so ${means} (${reasons.join("; ")})`;
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
      hint: "make it work (on Debian and Ubuntu: apt install bubblewrap, and allow user namespaces), or choose --sandbox auto or none",
    },
  );
}
