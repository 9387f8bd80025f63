import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { type Screen, screenOn } from "./screen.ts";

const ESC = "\u001B";

/** Escape sequences, ends of lines, and text. */
const PIECES = new RegExp(String.raw`${ESC}\[\??\d*[A-Za-z]|[\r\n]|[^\r\n${ESC}]+`, "g");

/** Understands as much of a terminal as the screen uses. */
class FakeTerminal extends EventEmitter {
  lines: string[] = [""];
  columns = 80;
  rows = 24;
  writes = 0;
  #row = 0;
  #column = 0;

  write(text: string): void {
    this.writes++;
    for (const [piece] of text.matchAll(PIECES)) this.#put(piece);
  }

  #put(piece: string): void {
    const line = this.lines[this.#row] ?? "";
    if (piece === "\r") this.#column = 0;
    else if (piece === "\n") {
      this.#row++;
      this.#column = 0;
      this.lines[this.#row] ??= "";
    } else if (piece === "\u001B[K") this.lines[this.#row] = line.slice(0, this.#column);
    else if (piece === "\u001B[J") {
      this.lines[this.#row] = line.slice(0, this.#column);
      this.lines.length = this.#row + 1;
    } else if (piece.endsWith("A")) this.#row -= Number.parseInt(piece.slice(2), 10);
    else if (!piece.startsWith("\u001B")) {
      this.lines[this.#row] =
        line.padEnd(this.#column).slice(0, this.#column) + piece + line.slice(this.#column + piece.length);
      this.#column += piece.length;
    }
  }

  get text(): string {
    return this.lines.join("\n");
  }
}

function screen(): { terminal: FakeTerminal; on: Screen; say: (text: string) => void } {
  const terminal = new FakeTerminal();
  const write = (text: string) => terminal.write(text);
  const on = screenOn({ write, open: () => terminal as unknown as NodeJS.WriteStream });
  return { terminal, on, say: (text) => on.around(text, write) };
}

describe("a screen", () => {
  it("draws lines in the place of the last ones, however many they are", () => {
    const { terminal, on } = screen();
    on.draw(["", "one", "two"]);
    expect(terminal.text).toBe("\none\ntwo");
    on.draw(["", "only"]);
    expect(terminal.text).toBe("\nonly");
    on.draw(["", "a", "longer", "list"]);
    expect(terminal.text).toBe("\na\nlonger\nlist");
    on.draw([]);
    expect(terminal.text).toBe("");
  });

  it("writes nothing when nothing changed, and only what did", () => {
    const { terminal, on } = screen();
    on.draw(["", "one", "two"]);
    const { writes } = terminal;
    on.draw(["", "one", "two"]);
    expect(terminal.writes).toBe(writes);
    let said = "";
    terminal.write = (text) => void (said += text);
    on.draw(["", "one", "2"]);
    expect(said).toContain("2");
    expect(said).not.toContain("one");
  });

  it("keeps what is printed above the lines", () => {
    const { terminal, on, say } = screen();
    say("before\n");
    on.draw(["", "live"]);
    say("first\n");
    say("second\nthird\n");
    expect(terminal.text).toBe("before\nfirst\nsecond\nthird\n\nlive");
    on.draw([]);
    say("after\n");
    expect(terminal.text).toBe("before\nfirst\nsecond\nthird\nafter\n");
  });

  it("waits until a line that was begun has ended", () => {
    const { terminal, on, say } = screen();
    on.draw(["", "live"]);
    say("half");
    on.draw(["", "live 2"]);
    expect(terminal.text).toBe("half");
    say(" and half\n");
    expect(terminal.text).toBe("half and half\n\nlive 2");
  });

  it("is out of the way while a question is asked", async () => {
    const { terminal, on } = screen();
    on.draw(["", "live"]);
    await on.lend(async () => {
      on.draw(["", "live 2"]);
      expect(terminal.text).toBe("");
    });
    expect(terminal.text).toBe("\nlive 2");
  });

  it("draws everything anew when the size changes", () => {
    const { terminal, on } = screen();
    on.draw(["", "wide", "lines"]);
    on.onResize(() => on.draw(["", "narrow"]));
    terminal.columns = 40;
    terminal.emit("resize");
    expect(on.columns).toBe(40);
    expect(terminal.text).toBe("\nnarrow");
    on.onResize(null);
    expect(terminal.listenerCount("resize")).toBe(0);
  });

  it("knows how many rows were printed since it was asked to count, also of lines longer than the terminal", () => {
    const { on, say } = screen();
    say("before\n");
    const printed = on.countRows();
    say("one\ntwo\n");
    expect(printed()).toBe(2);
    const later = on.countRows();
    on.draw(["", "live"]);
    say(`${"x".repeat(81)}\n`);
    expect([printed(), later()]).toEqual([4, 2]);
  });
});
