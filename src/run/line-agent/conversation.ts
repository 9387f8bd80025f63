import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import { exitText, forcedOutcome } from "../ending.ts";
import type { HarnessContext, HarnessRequest, HarnessRun } from "../harness.ts";
import type { Supervised } from "../process/command.ts";
import { addUsage } from "../../domain/usage.ts";
import { type AgentLine, readAgentLine, toOutcome, toUsage } from "./protocol.ts";

/** Listens to the program over all turns and keeps what it says about itself. */
export class Conversation {
  #turn = 1;
  #sessionId: string | null = null;
  #model: string | null = null;
  #version: string | null = null;
  #skills: readonly string[] | null = null;
  #usage: Usage = UNKNOWN_USAGE;
  #steps = 0;
  #outcome: Outcome | null = null;
  readonly #tools = new Map<string, string>();
  readonly #notes: string[] = [];
  readonly #request: HarnessRequest;
  readonly #context: HarnessContext;

  constructor(request: HarnessRequest, context: HarnessContext) {
    this.#request = request;
    this.#context = context;
  }

  env(turn: number): Record<string, string> {
    return {
      ASSAY_TURN: String(turn),
      ASSAY_SESSION: this.#sessionId ?? "",
      ASSAY_SKILL: this.#request.skill?.name ?? "",
      ASSAY_SKILL_PATH: this.#request.skill?.path ?? "",
      ASSAY_MODEL: this.#request.options.model ?? "",
    };
  }

  startTurn(turn: number, prompt: string): void {
    this.#turn = turn;
    this.#context.emit({ kind: "message", role: "user", text: prompt }, { turn });
  }

  hear(written: string): "stop" | undefined {
    const said = readAgentLine(written);
    if (said === null) {
      if (written.trim() !== "") this.#say({ type: "text", text: written, extras: {} });
      return undefined;
    }
    this.#say(said);
    const { stopOnSkill } = this.#request.options;
    return said.type === "skill" && stopOnSkill !== null && said.name === stopOnSkill ? "stop" : undefined;
  }

  /** True when no further turn makes sense. */
  endTurn(supervised: Supervised): boolean {
    const { ending, stderrTail, notes } = supervised;
    this.#notes.push(...notes);
    if (ending.kind === "stopped") return true;
    this.#outcome = forcedOutcome(supervised) ?? this.#outcome;
    if (ending.kind === "exited" && ending.code !== 0) {
      this.#outcome ??= {
        status: "crashed",
        message: `the program ${exitText(ending)}: ${stderrTail.trim()}`,
      };
    }
    return this.#outcome !== null;
  }

  finish(): HarnessRun {
    return {
      outcome: this.#outcome ?? { status: "completed" },
      model: this.#model,
      sessionId: this.#sessionId,
      steps: this.#steps,
      usage: this.#usage,
      denials: [],
      skillsOffered: this.#skills,
      clientVersion: this.#version,
      notes: this.#notes,
    };
  }

  #say(said: AgentLine): void {
    const emit = (body: Parameters<HarnessContext["emit"]>[0]) =>
      this.#context.emit(body, { turn: this.#turn });
    switch (said.type) {
      case "session":
        this.#sessionId = said.id ?? this.#sessionId;
        this.#model = said.model ?? this.#model;
        this.#version = said.version ?? this.#version;
        this.#skills = said.skills ?? this.#skills;
        break;
      case "text":
        this.#steps++;
        emit({ kind: "message", role: "assistant", text: said.text });
        break;
      case "thinking":
        emit({ kind: "thinking", text: said.text });
        break;
      case "tool_call":
        this.#steps++;
        this.#tools.set(said.id, said.name);
        emit({ kind: "tool-call", callId: said.id, tool: said.name, input: said.input });
        break;
      case "tool_result":
        emit({
          kind: "tool-result",
          callId: said.id,
          tool: this.#tools.get(said.id) ?? null,
          output: said.output,
          isError: said.is_error,
          denied: said.denied,
        });
        break;
      case "skill":
        emit({ kind: "skill-activated", skill: said.name, by: said.by });
        break;
      case "usage":
        this.#usage = addUsage(this.#usage, toUsage(said));
        emit({ kind: "usage", usage: toUsage(said) });
        break;
      case "failed":
        this.#outcome = toOutcome(said);
        emit({ kind: "error", message: said.message });
        break;
    }
  }
}
