import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { addUsage } from "../../domain/usage.ts";
import { exitText, forcedOutcome, inItsWords } from "../ending.ts";
import type { HarnessContext } from "../harness.ts";
import { MOST_MESSAGE_CHARS } from "../recorder.ts";
import type { Supervised } from "../process/command.ts";
import type { TurnListener } from "../turns.ts";
import { type AgentLine, readAgentLine, toOutcome, toUsage } from "./protocol.ts";

export interface LineListenerOptions {
  readonly emit: HarnessContext["emit"];
  readonly turn: number;
  readonly stopOnSkill: string | null;
}

/** Hears one call of the program, and keeps what it says about itself. */
export class LineListener implements TurnListener {
  sessionId: string | null = null;
  model: string | null = null;
  version: string | null = null;
  skills: readonly string[] | null = null;
  steps = 0;
  usage: Usage = UNKNOWN_USAGE;
  #failed: Outcome | null = null;
  #lines: string[] = [];
  #chars = 0;
  readonly #tools = new Map<string, string>();
  readonly #options: LineListenerOptions;

  constructor(options: LineListenerOptions) {
    this.#options = options;
  }

  hear(written: string): "stop" | undefined {
    const said = readAgentLine(written);
    if (said === null) {
      this.#plain(written);
      return undefined;
    }
    this.#flush();
    this.#hear(said);
    const { stopOnSkill } = this.#options;
    return said.type === "skill" && stopOnSkill !== null && said.name === stopOnSkill ? "stop" : undefined;
  }

  outcome(supervised: Supervised): Outcome {
    this.#flush();
    const { ending, stderrTail } = supervised;
    const told = forcedOutcome(supervised) ?? this.#failed;
    if (told !== null) return told;
    if (ending.kind !== "exited" || ending.code === 0) return { status: "completed" };
    return { status: "crashed", message: inItsWords(`the program ${exitText(ending)}`, stderrTail) };
  }

  #hear(said: AgentLine): void {
    switch (said.type) {
      case "session":
        this.sessionId = said.id ?? this.sessionId;
        this.model = said.model ?? this.model;
        this.version = said.version ?? this.version;
        this.skills = said.skills ?? this.skills;
        break;
      case "text":
        this.#text(said.text);
        break;
      case "thinking":
        this.#emit({ kind: "thinking", text: said.text });
        break;
      case "tool_call":
        this.steps++;
        this.#tools.set(said.id, said.name);
        this.#emit({ kind: "tool-call", callId: said.id, tool: said.name, input: said.input });
        break;
      case "tool_result":
        this.#emit({
          kind: "tool-result",
          callId: said.id,
          tool: this.#tools.get(said.id) ?? null,
          output: said.output,
          isError: said.is_error,
          denied: said.denied,
        });
        break;
      case "skill":
        this.#emit({ kind: "skill-activated", skill: said.name, by: said.by });
        break;
      case "usage":
        this.usage = addUsage(this.usage, toUsage(said));
        break;
      case "failed":
        this.#failed = toOutcome(said);
        this.#emit({ kind: "error", message: said.message });
        break;
    }
  }

  /** Lines that are not of the protocol are one answer until something else comes. */
  #plain(line: string): void {
    this.#lines.push(line.slice(0, MOST_LINE_CHARS));
    this.#chars += line.length;
    if (this.#chars > MOST_CHARS_HELD) this.#flush();
  }

  #flush(): void {
    const text = this.#lines.join("\n").trimEnd();
    this.#lines = [];
    this.#chars = 0;
    if (text !== "") this.#text(text);
  }

  #text(text: string): void {
    this.steps++;
    this.#emit({ kind: "message", role: "assistant", text });
  }

  #emit(body: Parameters<HarnessContext["emit"]>[0]): void {
    this.#options.emit(body, { turn: this.#options.turn });
  }
}

/** One more than checks read, so that a longer line is told as a cut answer. */
const MOST_LINE_CHARS = MOST_MESSAGE_CHARS + 1;
/** A longer answer becomes several messages, so that a flood of text does not fill the memory. */
const MOST_CHARS_HELD = 1024 * 1024;
