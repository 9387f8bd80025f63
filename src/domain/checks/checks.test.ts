import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ClaimField, keysOf } from "./field.ts";
import { CHECK_KINDS } from "./index.ts";
import type { CheckEntry } from "./kind.ts";
import { SOURCES } from "./source.ts";

const PAGE = new URL("../../../docs/checks.md", import.meta.url);
const TABLE = /^\| type \|.*(?:\n\|.*)*$/m;

describe("docs/checks.md", () => {
  it("has the table of all types that a file can name; UPDATE_GOLDEN=1 writes it anew", () => {
    if (process.env["UPDATE_GOLDEN"] !== undefined) {
      writeFileSync(
        PAGE,
        readFileSync(PAGE, "utf8").replace(TABLE, () => table()),
      );
    }
    expect(TABLE.exec(readFileSync(PAGE, "utf8"))?.[0]).toBe(table());
  });
});

describe("an entry's keys", () => {
  const entries = Object.entries(CHECK_KINDS).flatMap(([kind, { entry }]) =>
    entry === null ? [] : [[kind, entry.fields] as const],
  );

  it.each(entries)("do not clash in %s, nor with what every entry has", (_, fields) => {
    const keys = Object.entries(fields).flatMap(([name, field]) => keysOf(name, field));
    const all = ["type", "id", "text", "applies_to", ...keys];
    expect(all).toEqual([...new Set(all)]);
  });

  it.each(entries)("are written with underscores in %s", (_, fields) => {
    for (const key of Object.entries(fields).flatMap(([name, field]) => keysOf(name, field))) {
      expect(key).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    }
  });
});

function table(): string {
  const rows = Object.entries(CHECK_KINDS).flatMap(([kind, { reads, entry }]) =>
    entry === null ? [] : [`| \`${kind}\` | ${keys(entry)} | ${SOURCES[reads].text} | ${entry.holds} |`],
  );
  return ["| type | keys | decided on | holds when |", "|---|---|---|---|", ...rows].join("\n");
}

function keys({ says, fields }: Pick<CheckEntry<never>, "says" | "fields">): string {
  return [
    ...(says === "text" ? ["`text`"] : []),
    ...Object.entries(fields).map(([name, field]) => keyText(name, field)),
  ].join(", ");
}

function keyText(name: string, field: ClaimField<unknown>): string {
  const spelled = keysOf(name, field)
    .map((key) => `\`${key}\``)
    .join(" or ");
  if (field.holds.kind === "expectation") return `${spelled} (optional)`;
  const fallback = field.fallback?.value;
  if (fallback === undefined) return spelled;
  return `${spelled} (${fallback === null || fallback === "" ? "optional" : JSON.stringify(fallback)})`;
}
