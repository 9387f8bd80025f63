import type { AskedCall, TapeEntry, Spoken } from "../../wires/cassette.ts";
import type { WireName } from "../../wires/index.ts";
import { listingLines } from "../../wires/skill-listing.ts";
import { withoutNotes } from "./notes.ts";
import type { Piece, ReadRequest } from "./piece.ts";

/** What a request says; `write` spells every text as a tape would, without places and secrets. */
export function readRequest(
  { wire, body }: AskedCall & { readonly wire: WireName },
  spoken: Spoken,
  write: (text: string) => string,
): ReadRequest {
  const hard = (label: string, text: string): Piece => ({ kind: "hard", label, text: write(text).trim() });
  const words = spoken.entries.flatMap(wordsOf);
  const messages = words.filter((word) => word.kind === "message").map(({ text }) => text);
  const skills = words.filter((word) => word.kind === "skill").map(({ text }) => text);
  const instructions = words.filter((word) => word.kind === "instructions").map(({ text }) => text);
  const pieces: Piece[] = [
    hard("the model", spoken.model),
    ...(spoken.form === null ? [] : [hard("the form of the answer", JSON.stringify(spoken.form))]),
    ...(isPlain(spoken) && spoken.system !== "" ? [hard("the instructions", spoken.system)] : []),
    ...listingLines(wire, body)
      .filter(({ name }) => !BUNDLED.has(name))
      .map(({ name, text }) => hard(`the skill ${name} in the listing`, text)),
    ...instructions.map((text, index) => hard(numbered("the project's instructions", index), text)),
    ...messages.map((text, index) => hard(`message ${index + 1}`, text)),
    ...skills.map((text, index) => hard(numbered("the skill's text", index), text)),
    ...resultsOf(spoken.entries, write),
    { kind: "soft", label: "tools", text: spoken.tools.toSorted().join(" ") },
  ];
  return {
    thread: spoken.thread,
    turns: spoken.entries.filter((entry) => "response" in entry && entry.response).length,
    opening: write(messages[0] ?? "").trim(),
    pieces,
  };
}

/** Skills that a client brings along in some of its versions. */
const BUNDLED: ReadonlySet<string> = new Set(["plugin-authoring"]);

/** Nobody but us speaks: what stands before the question is part of it. */
function isPlain({ thread, tools, form }: Spoken): boolean {
  return thread === "" && (tools.length === 0 || (form !== null && tools.length === 1));
}

function numbered(label: string, index: number): string {
  return index === 0 ? label : `${label} (${index + 1})`;
}

interface Word {
  readonly kind: "message" | "skill" | "instructions";
  readonly text: string;
}

/** The parts of a text that somebody meant; what the client adds for itself is left out. */
function wordsOf(entry: TapeEntry): readonly Word[] {
  if (entry.kind !== "user" && entry.kind !== "client") return [];
  const found = claudeInstructions(entry.text);
  if (entry.kind === "client") return found;
  const text = withoutNotes(entry.text).trim();
  if (text === "") return found;
  if (text.startsWith("# AGENTS.md instructions")) return [...found, { kind: "instructions", text }];
  const skill = /^(?:Base directory for this skill:|<skill>)/.test(text);
  return [...found, { kind: skill ? "skill" : "message", text }];
}

/** Claude Code shows each file of instructions after a line with its path. */
function claudeInstructions(text: string): readonly Word[] {
  if (!text.includes("Contents of ")) return [];
  return text
    .split(/^(?=Contents of )/m)
    .filter((part) => /^Contents of .+\.md \(.*\):\n/.test(part))
    .map((part) => ({ kind: "instructions", text: part.split(INSTRUCTIONS_END, 1)[0] ?? part }));
}

const INSTRUCTIONS_END = /^# (?:currentDate|gitStatus|userEmail)$|<\/system-reminder>/m;

/** In the order of the calls, which no race decides. */
function resultsOf(entries: readonly TapeEntry[], write: (text: string) => string): readonly Piece[] {
  const results = entries.filter((entry) => entry.kind === "result");
  return entries
    .filter((entry) => entry.kind === "call")
    .flatMap(({ id, tool, input }, index): readonly Piece[] => {
      const result = results.find(({ callId }) => callId === id);
      if (result === undefined) return [];
      const text = SILENT.test(tool) ? "" : write(withoutNotes(result.text)).trim();
      const boilerplate = tool === "Skill" && text.startsWith("Launching skill");
      return [
        {
          kind: "result",
          label: `result ${index + 1} of ${tool}`,
          text: boilerplate ? "" : text,
          failed: result.failed ?? false,
          strict: tool === "Skill" || TOUCHES_SKILL.test(input),
        },
      ];
    });
}

/** Their results are words of the client about what it did, and no news for the model. */
const SILENT =
  /^(?:Write|Edit|MultiEdit|NotebookEdit|Todo\w+|Task(?:Create|Update|List|Get)|apply_patch|update_plan)$/;

const TOUCHES_SKILL = /SKILL\.md|[/\\]skills[/\\]/;
