/** Collects lines up to a bound. */
export interface TextSink {
  line(text: string): void;
  /** No more is taken. */
  readonly full: boolean;
  text(): string;
}

export function textSink(mostChars: number): TextSink {
  const lines: string[] = [];
  let left = mostChars;
  let full = false;
  return {
    line(text) {
      if (full) return;
      if (text.length + 1 > left) full = true;
      const kept = full ? text.slice(0, left) : text;
      left -= kept.length + 1;
      lines.push(kept);
    },
    get full() {
      return full;
    },
    text: () => lines.join("\n"),
  };
}
