import { align } from "./align.ts";

/** One file before and after; null: it is not there. */
export interface DiffedFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * A patch that `git apply` and `patch -p1` accept in the directory that `path` is relative to. It has no `diff --git`
 * line, because git would then take the path as relative to the top of the repository. Empty when nothing changes.
 */
export function unifiedDiff({ path, before, after }: DiffedFile, context = 3): string {
  if (before === after) return "";
  const steps = stepsOf(linesOf(before ?? ""), linesOf(after));
  const from = before === null ? "/dev/null" : named("a", path);
  const hunks = hunkTexts(steps, hunksOf(steps, context));
  return `--- ${from}\n+++ ${named("b", path)}\n${hunks.join("")}`;
}

interface Step {
  readonly sign: " " | "-" | "+";
  /** With its line end, if it has one. */
  readonly line: string;
}

interface Hunk {
  /** Positions among the steps; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (lines: readonly string[]): Step[] => lines.map((line) => ({ sign: " ", line }));
  return [
    ...same(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** Texts that differ in more lines than this, multiplied, are not looked at cell by cell. */
const MOST_CELLS = 4_000_000;

function middle(before: readonly string[], after: readonly string[]): Step[] {
  if (before.length * after.length > MOST_CELLS) return alignedSteps(before, after);
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    const line = before[i] ?? "";
    if (line === after[j]) {
      steps.push({ sign: " ", line });
      i++;
      j++;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      steps.push(removed(line));
      i++;
    } else {
      steps.push(added(after[j] ?? ""));
      j++;
    }
  }
  return [...steps, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}

function alignedSteps(before: readonly string[], after: readonly string[]): Step[] {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const [here, there] of [...align(numbered(before), numbered(after)), END]) {
    while (i < Math.min(here, before.length)) steps.push(removed(before[i++] ?? ""));
    while (j < Math.min(there, after.length)) steps.push(added(after[j++] ?? ""));
    if (i < before.length) steps.push({ sign: " ", line: before[i] ?? "" });
    [i, j] = [i + 1, j + 1];
  }
  return steps;
}

const END = [Infinity, Infinity] as const;

/** Length of the longest common subsequence of what is left from (i, j) on. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        before[i] === after[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

function removed(line: string): Step {
  return { sign: "-", line };
}

function added(line: string): Step {
  return { sign: "+", line };
}

function hunksOf(steps: readonly Step[], context: number): Hunk[] {
  const hunks: Hunk[] = [];
  steps.forEach(({ sign }, at) => {
    if (sign === " ") return;
    const start = Math.max(0, at - context);
    const end = Math.min(steps.length, at + context + 1);
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) hunks[hunks.length - 1] = { start: last.start, end };
    else hunks.push({ start, end });
  });
  return hunks;
}

function hunkTexts(steps: readonly Step[], hunks: readonly Hunk[]): string[] {
  const passed = { "-": 0, "+": 0 };
  let at = 0;
  const countTo = (end: number) => {
    for (; at < end; at++) {
      const sign = steps[at]?.sign;
      if (sign !== "+") passed["-"]++;
      if (sign !== "-") passed["+"]++;
    }
    return { ...passed };
  };
  return hunks.map(({ start, end }) => {
    const [above, below] = [countTo(start), countTo(end)];
    const range = (sign: "-" | "+") => {
      const lines = below[sign] - above[sign];
      return `${above[sign] + (lines === 0 ? 0 : 1)},${lines}`;
    };
    const lines = steps
      .slice(start, end)
      .map(({ sign, line }) =>
        line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
      );
    return `@@ -${range("-")} +${range("+")} @@\n${lines.join("")}`;
  });
}

/** As git spells names that are not plain words. */
function named(side: "a" | "b", path: string): string {
  const whole = `${side}/${path}`;
  if (/["\\\p{Cc}]/u.test(whole)) {
    const escaped = whole.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, octal);
    return `"${escaped}"`;
  }
  return /\s/.test(whole) ? `${whole}\t` : whole;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
