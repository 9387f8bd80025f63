/** The bottom of a terminal, where lines are drawn again and again. What is printed goes above them. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Puts these lines in the place of the last ones; none erases them. Each must fit the width. */
  draw(lines: readonly string[]): void;
  /** Prints something; it may lead to the same terminal. */
  around(text: string, print: (text: string) => void): void;
  /** Leaves the terminal to somebody who asks a question. */
  lend<T>(act: () => Promise<T>): Promise<T>;
  /** Calls when the terminal has another size; null: no more. */
  onResize(act: (() => void) | null): void;
  /** Counts from now on what is printed; the answer says how many rows that is by now. */
  countRows(): () => number;
}

interface ScreenParts {
  readonly write: (text: string) => void;
  readonly open: () => NodeJS.WriteStream;
}

/**
 * The cursor rests on the first of the drawn lines. So whatever a terminal does to them when its size changes, what is below the
 * cursor is ours, and erasing that erases all of it and nothing else.
 */
export function screenOn({ write, open }: ScreenParts): Screen {
  let wanted: readonly string[] = [];
  let shown: readonly string[] = [];
  let isLent = false;
  let resized: (() => void) | null = null;
  let printed: number | null = null;
  const columns = (): number => open().columns || 80;
  const hide = (): void => {
    if (shown.length > 0) write(`\r${ERASE_BELOW}`);
    shown = [];
  };
  const show = (): void => {
    if (isLent || isSame(shown, wanted)) return;
    if (wanted.length === 0) return hide();
    write(changes(shown, wanted));
    shown = wanted;
  };
  const onSize = (): void => {
    // Lines may have been broken anew: nothing of what is there can be kept.
    hide();
    resized?.();
  };
  return {
    get columns() {
      return columns();
    },
    get rows() {
      return open().rows || 24;
    },
    draw(lines) {
      if (wanted.length === 0 && lines.length > 0) process.on("exit", hide);
      if (wanted.length > 0 && lines.length === 0) process.off("exit", hide);
      wanted = lines;
      show();
    },
    around(text, print) {
      if (printed !== null) printed += rowsOf(text, columns());
      if (wanted.length === 0) return print(text);
      write(BEGIN);
      hide();
      print(text);
      // A line that is not at its end belongs to whoever prints it.
      isLent = !text.endsWith("\n");
      show();
      write(END);
    },
    async lend(act) {
      hide();
      isLent = true;
      try {
        return await act();
      } finally {
        isLent = false;
        show();
      }
    },
    onResize(act) {
      if (resized === null && act !== null) open().on("resize", onSize);
      if (resized !== null && act === null) open().off("resize", onSize);
      resized = act;
    },
    countRows() {
      const before = (printed ??= 0);
      return () => (printed ?? 0) - before;
    },
  };
}

/** Counts escape sequences as text: rather a row too many than one too few. */
function rowsOf(text: string, columns: number): number {
  const lines = text.split("\n").slice(0, -1);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((line, at) => line === after[at]);
}

/** Only lines that differ are written; the cursor starts and ends on the first one. */
function changes(before: readonly string[], after: readonly string[]): string {
  const last = after.length - 1;
  const lines = after.map((line, at) => (line === before[at] && at < last ? "" : `${line}${ERASE_LINE}`));
  const rest = before.length > after.length ? ERASE_BELOW : "";
  const back = last === 0 ? "\r" : `\u001B[${last}A\r`;
  return `${BEGIN}\r${lines.join("\r\n")}${rest}${back}${END}`;
}

const ERASE_BELOW = "\u001B[J";
const ERASE_LINE = "\u001B[K";
/** A terminal that knows synchronized updates shows what is between them at once; others ignore them. */
const BEGIN = "\u001B[?2026h";
const END = "\u001B[?2026l";
