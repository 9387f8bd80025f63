import type { Check } from "../../../domain/check.ts";
import type { Evidence } from "../../../domain/verdict.ts";
import { countCodePoints } from "../../../lib/code-points.ts";
import { findInFile, type Sighting } from "../../../lib/find-in-file.ts";
import { hasReturn } from "../../../lib/newlines.ts";
import { readEnd, readStart } from "../../../lib/text-edges.ts";
import type { CheckOf } from "../../code-grader.ts";
import { cut, type Decision, failed, measure, passed } from "../../decision.ts";

const KINDS = ["contains", "not_contains", "starts_with", "ends_with", "min_length", "max_length"] as const;
export type LiteralCheck = CheckOf<(typeof KINDS)[number]>;

export function isLiteral(check: Check): check is LiteralCheck {
  return (KINDS as readonly string[]).includes(check.kind);
}

/** One pass over the file answers all needles, one more all lengths, whatever its size. */
export function openLiterals(
  path: string,
  checks: readonly LiteralCheck[],
): (check: LiteralCheck) => Promise<Decision> {
  const sought = checks.filter((check) => check.kind === "contains" || check.kind === "not_contains");
  const needles = sought.map(({ needle, ignoreCase }) => ({ text: needle, ignoreCase }));
  let sightings: ReturnType<typeof findInFile> | null = null;
  let codePoints: Promise<number> | null = null;
  return async (check) => {
    switch (check.kind) {
      case "contains":
      case "not_contains": {
        const found = await (sightings ??= findInFile(path, needles));
        return decideContains(check, found[sought.indexOf(check)] ?? null);
      }
      case "starts_with":
        return decideStart(check, await readStart(path, check.needle.length, hasReturn(check.needle)));
      case "ends_with":
        return decideEnd(check, await readEnd(path, check.needle.length, hasReturn(check.needle)));
      case "min_length":
      case "max_length":
        return decideLength(check, await (codePoints ??= countCodePoints(path)));
    }
  };
}

const OUTPUT = { kind: "output", line: null } as const;
const NOT_IN_OUTPUT: Evidence = { kind: "absence", searched: [OUTPUT] };

function decideContains(check: CheckOf<"contains" | "not_contains">, sighting: Sighting | null): Decision {
  const wanted = check.kind === "contains";
  const needle = spell(check.needle, check.ignoreCase);
  // An empty text is in every text, also in an empty one.
  if (sighting === null && check.needle !== "") {
    return (wanted ? failed : passed)(`the output does not contain ${needle}`, [NOT_IN_OUTPUT]);
  }
  const { line, excerpt } = sighting ?? { line: 1, excerpt: "" };
  return (wanted ? passed : failed)(`the output contains ${needle} at line ${line}`, [
    { kind: "quote", text: excerpt, source: { kind: "output", line } },
  ]);
}

function decideStart({ needle, ignoreCase }: CheckOf<"starts_with">, start: string): Decision {
  const holds = fold(start, ignoreCase).startsWith(fold(needle, ignoreCase));
  const text = cut(start.slice(0, needle.length + 40));
  return (holds ? passed : failed)(
    `the output ${holds ? "starts" : "does not start"} with ${spell(needle, ignoreCase)}`,
    [{ kind: "quote", text, source: { kind: "output", line: 1 } }],
  );
}

/** White space at the end does not count, neither the output's nor the needle's own beside other text. */
function decideEnd({ needle, ignoreCase }: CheckOf<"ends_with">, end: string): Decision {
  const wanted = needle.trimEnd();
  const holds = needle === "" || (wanted !== "" && fold(end, ignoreCase).endsWith(fold(wanted, ignoreCase)));
  const text = Array.from(end.slice(-(wanted.length + 40)))
    .slice(-200)
    .join("");
  return (holds ? passed : failed)(
    `the output ${holds ? "ends" : "does not end"} with ${spell(needle, ignoreCase)}`,
    [{ kind: "quote", text, source: OUTPUT }],
  );
}

function decideLength(check: CheckOf<"min_length" | "max_length">, codePoints: number): Decision {
  const atLeast = check.kind === "min_length";
  const holds = atLeast ? codePoints >= check.length : codePoints <= check.length;
  const text = `${codePoints} characters, ${atLeast ? "at least" : "at most"} ${check.length} wanted`;
  return (holds ? passed : failed)(`the output has ${text}`, [measure(text)]);
}

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

function spell(needle: string, ignoreCase: boolean): string {
  return `${JSON.stringify(cut(needle))}${ignoreCase ? " in any case" : ""}`;
}
