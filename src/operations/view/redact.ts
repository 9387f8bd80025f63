import { basename } from "node:path";
import { secretsOf } from "../../engine/secrets.ts";
import { escapeRegExp } from "../../lib/escape-reg-exp.ts";
import { MASKED, secretMask } from "../../lib/secret-mask.ts";
import type { Machine } from "../../machine.ts";

/** What was taken out of a page before others see it. */
export interface Redaction {
  readonly kind: "secret" | "home path" | "user name";
  /** The page, as whoever makes it calls it. */
  readonly place: string;
  readonly count: number;
}

/** Takes out what is nobody else's business: secrets, the home directory and the name of the user. */
export interface Redactor {
  readonly text: (text: string, place: string) => string;
  /** Every string in it; the value keeps its shape. */
  readonly json: <T>(value: T, place: string) => T;
  /** Whether bytes hold nothing that would be taken out. */
  readonly isClean: (bytes: Buffer) => boolean;
  /** So far, in the order of the places. */
  readonly redactions: () => readonly Redaction[];
}

export function redactor({ env, home }: Pick<Machine, "env" | "home">): Redactor {
  const mask = secretMask(secretsOf(env));
  const counts = new Map<string, Redaction>();
  const add = (kind: Redaction["kind"], place: string, count: number) => {
    const key = `${place}\0${kind}`;
    counts.set(key, { kind, place, count: (counts.get(key)?.count ?? 0) + count });
  };
  const rules = personal(home, env["USER"] ?? env["LOGNAME"] ?? "");
  const text = (whole: string, place: string) => {
    let shown = mask.text(whole);
    if (shown !== whole)
      add("secret", place, Math.max(1, occurrences(shown, MASKED) - occurrences(whole, MASKED)));
    for (const { kind, pattern, replacement } of rules) {
      shown = shown.replaceAll(pattern, () => {
        add(kind, place, 1);
        return replacement;
      });
    }
    return shown;
  };
  const json = <T>(value: T, place: string): T => {
    if (typeof value === "string") return text(value, place) as T;
    if (Array.isArray(value)) return value.map((one: unknown) => json(one, place)) as T;
    if (value === null || typeof value !== "object") return value;
    const entries = Object.entries(value).map(([key, inner]) => [
      text(key, place),
      json(inner as unknown, place),
    ]);
    return Object.fromEntries(entries) as T;
  };
  return {
    text,
    json,
    isClean(bytes) {
      const latin1 = bytes.toString("latin1");
      return mask.bytes(latin1) === latin1 && rules.every(({ pattern }) => latin1.search(pattern) === -1);
    },
    redactions: () => [...counts.values()],
  };
}

/** Names that stand for nobody. */
const NOBODY = new Set(["root", "user", "home", "node", "admin", "runner", "ubuntu"]);

function personal(home: string, user: string) {
  const names = [...new Set([user, basename(home)])].filter((name) => name.length > 2 && !NOBODY.has(name));
  const place = { kind: "home path" as const, pattern: new RegExp(`${escapeRegExp(home)}(?![\\w-])`, "g") };
  return [
    ...(home.length > 1 ? [{ ...place, replacement: "~" }] : []),
    ...names.map((name) => ({
      kind: "user name" as const,
      pattern: new RegExp(`(?<![A-Za-z0-9])${escapeRegExp(name)}(?![A-Za-z0-9])`, "gi"),
      replacement: "[user]",
    })),
  ];
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
