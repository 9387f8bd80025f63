import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { printable } from "../lib/printable.ts";
import { shownPath } from "../lib/shown-path.ts";
import { plural } from "../lib/plural.ts";
import type { Terminal } from "../cli/terminal.ts";

const MOST_PLACES = 5;

/** Setup and teardown scripts run only when the user said so: by `--trust`, or by a yes that is remembered per content. */
export async function askForScripts(
  cases: readonly Case[],
  {
    trust,
    terminal,
    ask = askOnTerminal,
  }: { trust: boolean; terminal: Terminal; ask?: (question: string) => Promise<string> },
): Promise<void> {
  const scripts = cases.flatMap((one) =>
    (["setup", "teardown"] as const).flatMap((name) =>
      one[name] === null ? [] : [{ one, name, text: one[name] }],
    ),
  );
  const memory = new TrustMemory(terminal);
  const known = trust ? new Set<string>() : await memory.read();
  const open = trust ? [] : scripts.filter(({ text }) => !known.has(digest(text)));
  if (open.length === 0) return;
  if (!terminal.interactive) {
    const places = open.map(
      ({ one, name }) => `${name} in ${shownPath(one.at.file, terminal.cwd)}:${one.at.line}`,
    );
    throw new UserError(
      "run/untrusted-script",
      `${plural(open.length, "setup or teardown script")} would run, and nobody has agreed to that: ${places.slice(0, MOST_PLACES).join(", ")}${places.length > MOST_PLACES ? ", ..." : ""}`,
      {
        hint: "read them, then use --trust; or run once at a terminal and say yes",
      },
    );
  }
  for (const { one, name, text } of open) {
    terminal.err(`\n${name} of ${one.id} (${one.at.file}:${one.at.line}), the whole script:\n`);
    terminal.err(
      printable(text)
        .split("\n")
        .map((line) => `  | ${line}\n`)
        .join(""),
    );
  }
  const answer = await ask(`Run ${open.length === 1 ? "this script" : "these scripts"}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new UserError("run/untrusted-script", "the scripts were refused, so nothing was run");
  }
  await memory.add(open.map(({ text }) => digest(text)));
}

async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Digests of scripts the user has agreed to, in their own configuration, never in the project. */
class TrustMemory {
  readonly #path: string | null;

  constructor({ env }: Terminal) {
    const config =
      env["XDG_CONFIG_HOME"] ?? (env["HOME"] === undefined ? null : join(env["HOME"], ".config"));
    this.#path = config === null ? null : join(config, "assay", "trusted-scripts");
  }

  async read(): Promise<Set<string>> {
    if (this.#path === null) return new Set();
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return new Set(text.split("\n").filter((line) => line !== ""));
  }

  async add(digests: readonly string[]): Promise<void> {
    if (this.#path === null) return;
    const all = new Set([...(await this.read()), ...digests]);
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(this.#path, `${[...all].join("\n")}\n`, { mode: 0o600 });
  }
}
