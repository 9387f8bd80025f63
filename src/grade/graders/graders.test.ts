import { afterAll } from "vitest";
import type { Check, Claim, SectionField } from "../../domain/check.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { TranscriptBody } from "../../domain/transcript.ts";
import type { Reached } from "../../lib/net/reach-url.ts";
import { safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import { says } from "../fixtures/criteria-replies.ts";
import { makeCheck, type SubjectParts } from "../fixtures/make-subject.ts";
import { questionText, scriptedJudge } from "../fixtures/scripted-judge.ts";
import type { Grader } from "../grader.ts";
import { type GraderKit, type GraderSample, graderContract, type UnknownParts } from "../grader.contract.ts";
import type { Judge } from "../judge.ts";
import { criteriaGrader } from "./criteria.ts";
import { extractionGrader } from "./extraction.ts";
import { codeGraders, type GraderParts } from "./index.ts";

const regex = safeRegex();
afterAll(() => regex[Symbol.asyncDispose]());

const LOST: UnknownParts = { lost: true };
const text = (output: string): SubjectParts => ({ output });
const spent = (run: Required<SubjectParts>["run"]): SubjectParts => ({ run });
const did = (...events: readonly TranscriptBody[]): SubjectParts => ({ events });
const left = (files: Required<SubjectParts>["files"]): SubjectParts => ({ files });

function call(tool: string, input = "ls"): TranscriptBody {
  return { kind: "tool-call", callId: tool, tool, input: { command: input } };
}

function denied(tool: string): TranscriptBody {
  return { kind: "tool-result", callId: tool, tool, output: "no", isError: true, denied: true };
}

function sample(
  claim: Claim,
  [holds, fails, unknown = null]: readonly [SubjectParts, SubjectParts, (UnknownParts | null)?],
  head: Partial<Check> = {},
): GraderSample {
  const id = `check-${claim.kind}-${JSON.stringify(claim).length}`;
  return { check: makeCheck(claim, id, head), holds, fails, unknown };
}

const LITERAL = { needle: "Ada", ignoreCase: false };
const STATUS = { kind: "equals", value: "done" } as const;
const FIRED = { activations: [{ skill: "greet", by: "tool", event: 0 }] } as const;
const TAKEN_UP: SubjectParts = {
  run: FIRED,
  events: [{ kind: "skill-activated", skill: "greet", by: "tool" }],
};
const FIELD: SectionField = { id: "name", name: "name", required: true, format: "^A\\w+$", extras: {} };
const SECTIONS: Required<SubjectParts>["case"] = {
  sections: [
    {
      name: "People",
      tiers: [
        { label: "all", description: null, minEntries: 1, maxEntries: null, fields: [FIELD], extras: {} },
      ],
      extras: {},
    },
  ],
};
const extracted = (output: string): SubjectParts => ({ output, case: SECTIONS });
const IN_ALL = { section: "People", tier: "all" };
const URL = "See https://example.org/a for more";
const CHANGED = { path: "a.md", change: "modified", bytes: 1, sha256: null, captured: true } as const;

const SAMPLES: Readonly<Record<string, readonly GraderSample[]>> = {
  limits: [
    sample({ kind: "max_cost_usd", limit: 1 }, [
      spent({ usage: { ...UNKNOWN_USAGE, costUsd: 1 } }),
      spent({ usage: { ...UNKNOWN_USAGE, costUsd: 2 } }),
      spent({ usage: UNKNOWN_USAGE }),
    ]),
    sample({ kind: "max_tokens", limit: 5 }, [
      spent({ usage: { ...UNKNOWN_USAGE, inputTokens: 2, outputTokens: 3 } }),
      spent({ usage: { ...UNKNOWN_USAGE, inputTokens: 3, outputTokens: 3 } }),
      spent({ usage: { ...UNKNOWN_USAGE, inputTokens: 2 } }),
    ]),
    sample({ kind: "max_duration_seconds", limit: 1 }, [
      spent({ durationMs: 900 }),
      spent({ durationMs: 1100 }),
    ]),
    sample({ kind: "max_turns", limit: 2 }, [spent({ steps: 2 }), spent({ steps: 3 }), spent({ steps: 0 })]),
  ],
  trigger: [
    sample({ kind: "fires", expected: true, skill: null, forbidden: [] }, [
      TAKEN_UP,
      {},
      { ...TAKEN_UP, skill: null },
    ]),
    sample({ kind: "fires", expected: false, skill: null, forbidden: ["other"] }, [
      {},
      TAKEN_UP,
      { skill: null },
    ]),
  ],
  text: [
    sample({ kind: "contains", ...LITERAL }, [text("Hi Ada"), text("Hi Bob"), LOST]),
    sample({ kind: "not_contains", ...LITERAL }, [text("Hi Bob"), text("Hi Ada"), LOST]),
    sample({ kind: "starts_with", ...LITERAL }, [text("Ada hi"), text("Hi Ada"), LOST]),
    sample({ kind: "ends_with", ...LITERAL }, [text("Hi Ada"), text("Ada hi"), LOST]),
    sample({ kind: "regex", pattern: "A\\wa" }, [text("Hi Ada"), text("Hi Bob"), LOST]),
    sample({ kind: "min_count", pattern: "^- ", count: 2 }, [text("- a\n- b"), text("- a"), LOST]),
    sample({ kind: "min_length", length: 3 }, [text("abc"), text("ab"), LOST]),
    sample({ kind: "max_length", length: 3 }, [text("abc"), text("abcd"), LOST]),
    sample({ kind: "has_urls", count: 1 }, [text(URL), text("none"), LOST]),
    sample({ kind: "has_entries", count: 2 }, [text("1. a\n2. b"), text("1. a"), LOST]),
    sample({ kind: "has_format", format: "email", count: 1 }, [text("ada@example.org"), text("Ada"), LOST]),
    sample({ kind: "final_json", path: "status", expected: STATUS }, [
      text('```json\n{"status": "done"}\n```'),
      text('```json\n{"status": "open"}\n```'),
      LOST,
    ]),
  ],
  transcript: [
    sample({ kind: "tool_called", tool: "Bash", arguments: "ls", count: 1 }, [did(call("Bash")), did()]),
    sample({ kind: "tool_not_called", tool: "Bash", arguments: null }, [
      did(call("Read")),
      did(call("Bash")),
    ]),
    sample({ kind: "tool_order", tools: ["Read", "Bash"] }, [
      did(call("Read"), call("Bash")),
      did(call("Bash"), call("Read")),
    ]),
    sample({ kind: "skill_loaded", skill: null }, [TAKEN_UP, {}, { skill: null }]),
    sample({ kind: "no_denied_tools" }, [did(call("Bash")), did(call("Bash"), denied("Bash"))]),
  ],
  files: [
    sample({ kind: "file_exists", path: "out/*.md" }, [left({ "out/a.md": "a" }), left({ "b.md": "b" })]),
    sample({ kind: "file_absent", path: "out/*.md" }, [left({ "b.md": "b" }), left({ "out/a.md": "a" })]),
    sample({ kind: "file_matches", path: "a.md", pattern: "A\\wa" }, [
      left({ "a.md": "Hi Ada" }),
      left({ "a.md": "Hi Bob" }),
      left({ "a.md": null }),
    ]),
    sample({ kind: "file_matches", path: "a.md", pattern: "lost" }, [
      left({ "a.md": "lost" }),
      left({ "a.md": "found" }),
      { ...left({ "a.md": "lost" }), lost: true },
    ]),
    sample({ kind: "file_json", path: "b.json", at: "status", expected: STATUS }, [
      left({ "b.json": '{"status": "done"}' }),
      left({ "b.json": '{"status": "open"}' }),
      left({ "b.json": null }),
    ]),
    sample({ kind: "file_unchanged", path: "a.md" }, [{}, { run: { changes: [CHANGED] } }]),
  ],
  urls: [sample({ kind: "urls_reachable", count: 1 }, [text(URL), text("https://example.org/gone"), LOST])],
  criteria: [
    sample({ kind: "criterion" }, [text("Hi Ada, it is good"), text("Hi Ada"), LOST], {
      layer: "L3",
      text: "it is good",
    }),
  ],
  extraction: [
    sample(
      { kind: "field", ...IN_ALL, field: FIELD },
      [extracted("Ada"), extracted("Bob"), { ...extracted("Ada"), lost: true }],
      { layer: "L2" },
    ),
    sample(
      { kind: "entries", ...IN_ALL, min: 1, max: null },
      [extracted("Ada"), extracted(""), { ...extracted("Ada"), lost: true }],
      { layer: "L2" },
    ),
  ],
};

for (const grader of codeGraders({ regex, network: "off" })) {
  const make = (parts: Partial<GraderParts> = {}) => ownGrader(grader.name, parts);
  const waits = (_: string, signal: AbortSignal) =>
    new Promise<Reached>((_resolve, reject) => onAbort(signal, reject));
  graderContract(grader.name, {
    ...kit(grader.name, () => make()),
    ...(grader.needs === "network" && { waiting: () => make({ reach: waits }) }),
  });
}

const judge = scriptedJudge((question) => {
  const shown = questionText(question);
  if (question.purpose === "extraction") {
    const name = /\b(Ada|Bob)\b/.exec(shown)?.[1];
    return { People: { all: name === undefined ? [] : [{ name }] } };
  }
  const passed = shown.includes("Ada, it is good");
  const evidence = [{ kind: "quote", text: passed ? "Hi Ada, it is good" : "Hi Ada", sources: ["output"] }];
  return says([{ evidence, passed }])(question);
});
const deaf: Judge = {
  name: "deaf",
  model: "deaf-1",
  ask: (_, signal) => new Promise((_resolve, reject) => onAbort(signal, reject)),
};

graderContract("criteria", {
  ...kit("criteria", () => criteriaGrader({ judges: [judge] })),
  waiting: () => criteriaGrader({ judges: [deaf] }),
});
graderContract("extraction", {
  ...kit("extraction", () => extractionGrader({ judge, regex })),
  waiting: () => extractionGrader({ judge: deaf, regex }),
});

function kit(name: string, make: () => Grader): GraderKit {
  const others = Object.entries(SAMPLES).filter(([other]) => other !== name);
  return {
    make,
    samples: SAMPLES[name] ?? [],
    foreign: others.flatMap(([, samples]) => samples.map(({ check }) => check)),
  };
}

function ownGrader(name: string, parts: Partial<GraderParts>): Grader {
  const reach = async (url: string): Promise<Reached> => ({
    kind: "answered",
    status: url.includes("gone") ? 404 : 200,
  });
  const grader = codeGraders({ regex, network: "allowed", reach, ...parts }).find((one) => one.name === name);
  if (grader === undefined) throw new Error(`there is no grader ${name}`);
  return grader;
}

function onAbort(signal: AbortSignal, reject: (reason: unknown) => void): void {
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener("abort", () => reject(signal.reason));
}
