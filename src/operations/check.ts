import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Suite } from "../domain/suite.ts";
import { loadOptions } from "../engine/load-options.ts";
import { type Profile, PROFILES } from "../load/lint/rules.ts";
import { scanRule } from "../load/scan/rules.ts";
import { loadEach, type LoadOptions } from "../load/load.ts";
import { choice } from "../options/kind.ts";
import { type Given, optionOr, settle } from "../options/table.ts";
import { STRICT, TARGETS } from "../options/targets.ts";
import { type Door, openDoor } from "./door.ts";

export { type Risk, SCAN_RULES, type ScanRule, scanRule } from "../load/scan/rules.ts";
export { type Profile, type Rule as LintRule, RULES as LINT_RULES } from "../load/lint/rules.ts";

/** What `check` can be told. */
export const CHECK_OPTIONS = {
  ...TARGETS,
  profile: optionOr(
    "--profile <name>",
    { kind: choice(PROFILES), otherwise: "claude-code" },
    "which rules skills must meet",
  ),
  ...STRICT,
};
export type CheckOptions = Given<typeof CHECK_OPTIONS>;

/** What there is to say about one skill and its eval files, or about the search for them. */
export interface CheckedPart {
  /** At most one; what cannot be used is not in it. */
  readonly suites: readonly Suite[];
  /** By file, then by place in it. Errors among them mean that something cannot be used. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates eval files, lints skills and scans them for what may be meant badly; runs and writes nothing. Parts come as they are found and none is kept, so that
 * memory does not grow with the number of skills. What is wrong with files is data; throws a UserError for wrong options.
 */
export function check(options: CheckOptions, door: Door): AsyncIterable<CheckedPart> {
  const { machine, config, signal } = openDoor(door);
  const settled = settle(CHECK_OPTIONS, options, { env: machine.env });
  const load = loadOptions({ ...settled, plugins: config.plugins, signal }, machine);
  return checkedParts(settled, { ...load, lint: settled.profile }, signal);
}

async function* checkedParts(
  { targets, strict, profile }: { targets: readonly string[]; strict: boolean; profile: Profile },
  load: LoadOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<CheckedPart, void> {
  for await (const { suites, diagnostics } of loadEach(targets, load)) {
    signal?.throwIfAborted();
    const isStrict = strict || profile === "strict";
    const wanted = diagnostics.filter(({ code }) => isStrict || code !== "security/eval-program");
    const said = wanted.map((one) => (isError(one, { strict, profile }) ? asError(one) : one));
    yield { suites, diagnostics: inOrder(said) };
  }
}

/** What is of low risk is to be known, not to be fixed. */
function isError(
  { code }: Diagnostic,
  { strict, profile }: { readonly strict: boolean; readonly profile: Profile },
): boolean {
  const risk = scanRule(code)?.risk ?? null;
  return risk === null ? strict : risk !== "low" && (strict || profile === "strict");
}

function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error" };
}

/** By position within a file; files stay in the order in which they were read. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = new Map<string, number>();
  const fileOf = ({ at }: Diagnostic) => at?.file ?? "";
  for (const diagnostic of diagnostics)
    if (!files.has(fileOf(diagnostic))) files.set(fileOf(diagnostic), files.size);
  return diagnostics.toSorted(
    (a, b) =>
      (files.get(fileOf(a)) ?? 0) - (files.get(fileOf(b)) ?? 0) ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}
