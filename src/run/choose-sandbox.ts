import { UserError } from "../domain/user-error.ts";
import { nearest } from "../lib/nearest.ts";
import type { Sandbox } from "./sandbox.ts";
import type { BwrapOptions } from "./sandboxes/bwrap.ts";
import { sandboxes } from "./sandboxes/index.ts";

export interface SandboxChoice {
  readonly sandbox: Sandbox;
  /** Why no better one is used; null when this is the best there is, or the one that was asked for. */
  readonly note: string | null;
}

/** `auto` is the best one that works here. One asked for by name that does not work is the user's to decide about. */
export async function chooseSandbox(name: string, options: BwrapOptions = {}): Promise<SandboxChoice> {
  return chooseFrom(
    sandboxes.map(({ name, create }) => ({ name, create: () => create(options) })),
    name,
  );
}

/** For tests: the same with other sandboxes. */
export async function chooseFrom(
  candidates: readonly { readonly name: string; readonly create: () => Sandbox }[],
  name: string,
): Promise<SandboxChoice> {
  if (name === "auto") return best(candidates.map(({ create }) => create()));
  const candidate = candidates.find((candidate) => candidate.name === name);
  if (candidate === undefined) throw unknown(name, ["auto", ...candidates.map(({ name }) => name)]);
  const sandbox = candidate.create();
  const reason = await sandbox.unavailable();
  if (reason !== null) throw unusable(sandbox, reason);
  return { sandbox, note: null };
}

async function best(candidates: readonly Sandbox[]): Promise<SandboxChoice> {
  const reasons: string[] = [];
  for (const sandbox of candidates) {
    const reason = await sandbox.unavailable();
    if (reason === null) return { sandbox, note: reasons.length === 0 ? null : noteOn(sandbox, reasons) };
    reasons.push(`${sandbox.name} does not work here: ${reason}`);
  }
  throw new UserError("run/no-sandbox", `no sandbox works here: ${reasons.join("; ")}`);
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
