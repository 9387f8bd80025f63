import type { Json } from "../../../domain/json.ts";
import { contentText, listAt, type Loose, objectAt, textAt, textOrNull } from "../../../lib/loose.ts";
import type { HarnessContext } from "../../harness.ts";
import { calledSkill } from "../../called-skill.ts";
import { skillsReadBy } from "../../skill-reads.ts";

/** Follows the tool calls of one call of the client: each with its result, and the skills that are taken up by them. */
export class ToolTrace {
  asksUser = false;
  backgroundTasks = 0;
  calledStopSkill = false;
  /** Calls that an event of their own has said to be refused. */
  readonly refused = new Set<string>();
  readonly #calls = new Map<string, { tool: string; takesUp: readonly Taken[] }>();
  readonly #options: TraceOptions;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  call(block: unknown, agent: string | null): void {
    const callId = textAt(block, "id");
    const tool = textAt(block, "name");
    const input = (objectAt(block)["input"] ?? {}) as Json;
    const { emit, turn, stopOnSkill } = this.#options;
    emit({ kind: "tool-call", callId, tool, input }, { turn, agent });
    if (tool === "AskUserQuestion") this.asksUser = true;
    if (BACKGROUND_TOOLS.has(tool) && objectAt(input)["run_in_background"] === true) this.backgroundTasks++;
    const takesUp = skillsTakenUpBy(tool, input);
    this.#calls.set(callId, { tool, takesUp });
    if (stopOnSkill === null || !takesUp.some(({ skill }) => skill === stopOnSkill)) return;
    // The answer would come too late: the client asks the model again at once.
    this.calledStopSkill = true;
    this.#takeUp(takesUp, agent);
  }

  results(event: Loose): void {
    const agent = textOrNull(event, "parent_tool_use_id");
    for (const meta of listAt(event, "tool_result_meta")) {
      if (REFUSALS.has(textAt(objectAt(meta, "permission_decision"), "decision")))
        this.refused.add(textAt(meta, "id"));
    }
    for (const block of listAt(objectAt(event, "message"), "content")) {
      if (objectAt(block)["type"] === "tool_result") this.#result(block, agent);
    }
  }

  #result(block: unknown, agent: string | null): void {
    const callId = textAt(block, "tool_use_id");
    const output = contentText(objectAt(block)["content"]);
    const isError = objectAt(block)["is_error"] === true;
    const call = this.#calls.get(callId);
    this.#options.emit(
      {
        kind: "tool-result",
        callId,
        tool: call?.tool ?? null,
        output,
        isError,
        denied: this.refused.has(callId) || (isError && REFUSAL_TEXT.test(output)),
      },
      { turn: this.#options.turn, agent },
    );
    if (!isError && call !== undefined && !this.calledStopSkill) this.#takeUp(call.takesUp, agent);
  }

  #takeUp(skills: readonly Taken[], agent: string | null): void {
    for (const { skill, by } of skills) {
      this.#options.emit({ kind: "skill-activated", skill, by }, { turn: this.#options.turn, agent });
    }
  }
}

export interface TraceOptions {
  readonly emit: HarnessContext["emit"];
  readonly turn: number;
  readonly stopOnSkill: string | null;
}

interface Taken {
  readonly skill: string;
  readonly by: "tool" | "read";
}

function skillsTakenUpBy(tool: string, input: Json): readonly Taken[] {
  if (tool === "Skill") {
    const skill = calledSkill(input);
    return skill === null ? [] : [{ skill, by: "tool" }];
  }
  if (tool !== "Read" && tool !== "Bash") return [];
  return skillsReadBy(input).map((skill) => ({ skill, by: "read" }));
}

/** The tool that starts helper agents was called Task and is called Agent. */
const BACKGROUND_TOOLS = new Set(["Task", "Agent"]);
const REFUSALS = new Set(["deny", "reject"]);
/** Older clients tell a refusal only by its words. */
const REFUSAL_TEXT =
  /^(?:Claude requested permissions? to .* but you haven't granted it yet|This command requires approval|Permission to use \S+ .*(?:denied|not been granted))/su;
