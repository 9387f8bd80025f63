import type { EvaluateOptions } from "../operations/evaluate.ts";
import { plural, printable, shownPath } from "../operations/text.ts";
import type { WatchedFiles } from "../operations/watch.ts";
import { EXIT } from "./exit.ts";
import { printFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What the loop works with. */
export interface Watching {
  readonly terminal: Terminal;
  readonly files: WatchedFiles;
  /** One evaluation, with what this round wants otherwise; answers its exit code. */
  readonly run: (differently: EvaluateOptions) => Promise<number>;
  readonly signal: AbortSignal;
}

/** Runs, waits for a change or a key, and runs what it affects, until it is told to end. Answers the last exit code. */
export async function watch({ terminal, files, run, signal }: Watching): Promise<number> {
  let code = await attempt(() => run({}), terminal);
  while (!signal.aborted) {
    terminal.err(
      `\nwatching ${plural(files.skills, "skill")} (${plural(files.files(), "file")})${keysText(terminal)}\n`,
    );
    const next = await nextStep(terminal, files, signal);
    if (next.kind === "quit") return code;
    if (next.kind === "interrupted") return EXIT.interrupted;
    if (next.kind === "changed") terminal.err(`${changedText(next.paths, terminal)}\n`);
    code = await attempt(() => run({ ...FRESH, ...WISHES[next.kind] }), terminal);
  }
  return EXIT.interrupted;
}

type Step =
  | { readonly kind: "changed"; readonly paths: readonly string[] }
  | { readonly kind: "all" | "failed" }
  | { readonly kind: "quit" }
  | { readonly kind: "interrupted" };

/** What only the first round goes on with. */
const FRESH: EvaluateOptions = { resume: false, retryErrors: false, lastFailed: false, affected: false };

const WISHES: Readonly<Record<"changed" | "all" | "failed", EvaluateOptions>> = {
  changed: { affected: true },
  all: {},
  failed: { lastFailed: true },
};

const KEYS: Readonly<Record<string, Step>> = {
  a: { kind: "all" },
  f: { kind: "failed" },
  q: { kind: "quit" },
  // Ctrl-C is no signal while single keys are read.
  "\u0003": { kind: "interrupted" },
};

function keysText({ keys }: Terminal): string {
  return keys === undefined ? "; Ctrl-C ends it" : ": a all, f failed, q quit";
}

async function nextStep(terminal: Terminal, files: WatchedFiles, signal: AbortSignal): Promise<Step> {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal]);
  const pressed = new Promise<Step>((resolve) => {
    const leave = terminal.keys?.((key) => {
      const step = KEYS[key.toLowerCase()];
      if (step !== undefined) resolve(step);
    });
    stop.addEventListener("abort", () => leave?.(), { once: true });
  });
  const changed = files.next(stop).then(
    (paths): Step => ({ kind: "changed", paths }),
    (): Step => ({ kind: "interrupted" }),
  );
  const step = await Promise.race([pressed, changed]);
  done.abort();
  return step;
}

/** A mistake in a file is said, and the next save may mend it. */
async function attempt(run: () => Promise<number>, terminal: Terminal): Promise<number> {
  try {
    return await run();
  } catch (error) {
    return printFailure(error, terminal);
  }
}

const MOST_PATHS = 3;

function changedText(paths: readonly string[], { cwd }: Terminal): string {
  const more = paths.length - MOST_PATHS;
  const shown = paths.slice(0, MOST_PATHS).map((path) => printable(shownPath(path, cwd)));
  return `changed: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
