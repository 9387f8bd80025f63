import type { Run } from "../../domain/run.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";

/** Longer tool results are cut in the text for people; transcript.jsonl has them whole. */
const MAX_SHOWN = 4000;

export interface TranscriptFacts {
  readonly prompt: string;
  readonly skill: string | null;
  readonly inputs: readonly string[];
  readonly run: Run;
}

/** transcript.md with the headings of skill-creator's executor; its viewer reads the prompt from here. */
export function transcriptText(events: readonly TranscriptEvent[], facts: TranscriptFacts): string {
  const answer = events.findLast(
    (event) => event.kind === "message" && event.role === "assistant" && event.agent === null,
  );
  const parts = [
    "# Eval Execution Transcript",
    section("Eval Prompt", facts.prompt),
    section("Skill", facts.skill ?? "none"),
    section("Input Files", bullets(facts.inputs)),
    section("Execution", steps(events)),
    section("Output Files", bullets(facts.run.changes.map((file) => `${file.path} (${file.change})`))),
    section("Final Result", answer?.kind === "message" ? fenced(answer.text) : "none"),
    section("Issues", bullets(issues(facts.run))),
  ];
  return `${parts.join("\n\n")}\n`;
}

function section(heading: string, body: string): string {
  return `## ${heading}\n\n${body.trim() === "" ? "none" : body}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line.replaceAll(/\s+/g, " ")}`).join("\n");
}

function steps(events: readonly TranscriptEvent[]): string {
  const shown = events.filter((event) => event.kind !== "usage");
  return shown
    .map(
      (event, index) =>
        `### Step ${index + 1}: ${title(event)} (event ${event.index})\n\n${fenced(body(event))}`,
    )
    .join("\n\n");
}

function title(event: TranscriptEvent): string {
  const who = event.agent === null ? "" : ` (${event.agent})`;
  switch (event.kind) {
    case "message":
      return `${event.role === "user" ? `user, turn ${event.turn}` : "assistant"}${who}`;
    case "thinking":
      return `thinking${who}`;
    case "tool-call":
      return `call of ${event.tool}${who}`;
    case "tool-result": {
      let outcome = event.isError ? ", failed" : "";
      if (event.denied) outcome = ", denied";
      return `result of ${event.tool ?? event.callId}${outcome}${who}`;
    }
    case "skill-activated":
      return `skill ${event.skill} loaded${who}`;
    case "error":
      return `error${who}`;
    case "usage":
      return "usage";
  }
}

function body(event: TranscriptEvent): string {
  switch (event.kind) {
    case "message":
    case "thinking":
      return event.text;
    case "tool-call":
      return JSON.stringify(event.input, null, 2);
    case "tool-result":
      return event.output;
    case "skill-activated":
      return `by ${event.by}`;
    case "error":
      return event.message;
    case "usage":
      return "";
  }
}

function fenced(text: string): string {
  const cut = text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, "");
  const rest = text.length - cut.length;
  return inFence(text.length > MAX_SHOWN ? `${cut}\n[${rest} more characters in transcript.jsonl]` : text);
}

/** A fence longer than any inside, so that nothing the agent says becomes a heading of ours. */
export function inFence(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function issues(run: Run): string[] {
  const outcome = run.outcome.status === "completed" ? [] : [`the run ended as ${run.outcome.status}`];
  const validity =
    run.validity.status === "verified" ? [] : [`${run.validity.status}: ${run.validity.reason}`];
  return [...outcome, ...validity, ...run.denials.map((denial) => `${denial.tool} was denied`), ...run.notes];
}
