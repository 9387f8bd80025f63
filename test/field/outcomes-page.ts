import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../../docs/logins.md", import.meta.url));

/** A table of docs/logins.md that tests write. */
export interface OutcomesTable {
  /** What stands in the comment before and after it. */
  readonly name: string;
  readonly head: readonly string[];
  /** The first cells of each row say what it is about. A null is an outcome that could not be seen here. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The page as it is, and as it must be; `UPDATE_GOLDEN` makes it so. What could not be seen here stays as it stands. */
export async function outcomesPage(
  table: OutcomesTable,
): Promise<{ readonly page: string; readonly expected: string }> {
  const mark = `<!-- ${table.name}: written by test/field -->`;
  const [before = "", written = "", after = ""] = (await readFile(PAGE, "utf8")).split(mark);
  const expected = `${before}${mark}\n${textOf(table, cellsOf(written))}\n${mark}${after}`;
  if (process.env["UPDATE_GOLDEN"] !== undefined) await writeFile(PAGE, expected);
  return { page: await readFile(PAGE, "utf8"), expected };
}

function textOf({ head, rows }: OutcomesTable, earlier: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const filled = rows.map((row, at) =>
    row.map((cell, column) => cell?.replaceAll("|", "\\|") ?? earlier[at + 2]?.[column] ?? "not tried"),
  );
  return [line(head), `|${"---|".repeat(head.length)}`, ...filled.map(line)].join("\n");
}

function cellsOf(table: string): readonly (readonly string[])[] {
  const lines = table.trim().split("\n");
  return lines.map((line) => line.replaceAll(/^\| | \|$/g, "").split(" | "));
}
