import { commandsOf } from "../domain/check.ts";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { plural } from "../lib/plural.ts";
import { shownPath } from "../lib/shown-path.ts";
import type { Machine, UntrustedScript } from "../machine.ts";
import { digest, trustMemory } from "./trust-memory.ts";

const MOST_PLACES = 5;

/** Setup and teardown scripts, and the commands of checks, run only when the user agreed: for this run (`trust`), or by a yes that is remembered per content. */
export async function askForScripts(
  cases: readonly Case[],
  { trust, machine }: { trust: boolean; machine: Machine },
): Promise<void> {
  if (trust) return;
  const scripts = cases.flatMap(scriptsOf);
  if (scripts.length === 0) return;
  const memory = trustMemory(machine, "trusted-scripts");
  const known = await memory.read();
  const open = scripts.filter(({ text }) => !known.has(digest(text)));
  if (open.length === 0) return;
  const agreed = await machine.consent({ kind: "run-scripts", scripts: open });
  if (agreed === null) throw untrusted(open, machine);
  if (!agreed) throw new UserError("run/untrusted-script", "the scripts were refused, so nothing was run");
  await memory.add(open.map(({ text }) => digest(text)));
}

function scriptsOf({ id, at, setup, teardown, checks }: Case): readonly UntrustedScript[] {
  const scripts = (["setup", "teardown"] as const).flatMap((name) => {
    const text = { setup, teardown }[name];
    return text === null ? [] : [{ name, caseId: id, at, text }];
  });
  const commands = commandsOf(checks).map((text) => ({ name: "check" as const, caseId: id, at, text }));
  return [...scripts, ...commands];
}

function untrusted(open: readonly UntrustedScript[], { cwd }: Machine): UserError {
  const places = open.map(({ name, at }) => `${name} in ${shownPath(at.file, cwd)}:${at.line}`);
  return new UserError(
    "run/untrusted-script",
    `${plural(open.length, "script")} would run, and nobody has approved that: ${places.slice(0, MOST_PLACES).join(", ")}${places.length > MOST_PLACES ? ", ..." : ""}`,
    { hint: "read them, then use --trust; or run once in a terminal and answer yes" },
  );
}
