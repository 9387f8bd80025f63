/** One event of a server-sent stream. */
export interface SentEvent {
  readonly event: string | null;
  readonly data: string;
}

/** Takes a stream of text in pieces cut anywhere and gives its whole events; comments and ids are left out. */
export class EventStream {
  #rest = "";

  push(text: string): readonly SentEvent[] {
    const lines = (this.#rest + text).replaceAll("\r\n", "\n");
    const end = lines.lastIndexOf("\n\n");
    if (end === -1) {
      this.#rest = lines;
      return [];
    }
    this.#rest = lines.slice(end + 2);
    return lines.slice(0, end).split(/\n\n+/).flatMap(toEvent);
  }

  /** What was never finished by an empty line, as servers that break off leave it. */
  end(): readonly SentEvent[] {
    const rest = this.#rest;
    this.#rest = "";
    return toEvent(rest);
  }
}

function toEvent(block: string): readonly SentEvent[] {
  const fields = block.split("\n").map((line) => /^(event|data): ?([^]*)$/.exec(line));
  const values = (name: string): string[] =>
    fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ""] : []));
  const data = values("data");
  return data.length === 0 ? [] : [{ event: values("event").at(-1) ?? null, data: data.join("\n") }];
}
