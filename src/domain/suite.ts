import type { Check, Section } from "./check.ts";
import type { JsonObject } from "./json.ts";
import type { Location } from "./diagnostic.ts";
import type { Skill } from "./skill.ts";

/** Formats that Assay reads and writes. */
export type FormatName = "clauditor" | "skillet" | "bmad" | "skill-creator";
/** Formats of other tools, which Assay only reads. */
export type ImportName = "claude-plugin" | "sentry-skillet" | "promptfoo" | "tessl";
export type ReadableName = FormatName | ImportName;
/** A built-in format, or one that a configuration adds under a name of its own. */
export type AnyFormatName = ReadableName | (string & {});

/** What one or more eval files say about one skill, normalized: inside, every field is present. */
export interface Suite {
  /** The skill's name; names the result folder. */
  readonly name: string;
  /** Null for a Skillet suite without `--skill`: only the baseline can run. */
  readonly skill: Skill | null;
  readonly files: readonly EvalFile[];
  /** The cases of all files; ids are unique and safe as directory names. */
  readonly cases: readonly Case[];
}

/** What one eval file says, in the words of its own format, with its cases normalized. */
export interface EvalFile {
  /** Absolute path. */
  readonly path: string;
  readonly format: AnyFormatName;
  /** Which of the format's shapes the file has, e.g. `evals`, `cases`, `triggers`. */
  readonly dialect: string;
  /** The skill's name as the file declares it. */
  readonly skillName: string | null;
  readonly description: string | null;
  readonly cases: readonly Case[];
  /** Top-level keys the format does not know, and how the file was spelled, kept for a lossless round trip. */
  readonly extras: JsonObject;
}

/** One scenario: what to send, what to stage, what must hold. */
export interface Case {
  /** Unique in its suite, safe as a directory name, stable between loads. */
  readonly id: string;
  /** The id as the file spells it; null where the file gives none and `id` is made from the position. */
  readonly declaredId: string | number | null;
  readonly name: string | null;
  readonly kind: "task" | "trigger";
  readonly format: AnyFormatName;
  readonly at: Location;
  readonly prompt: Prompt;
  /** A human description of success: context for a judge, never scored. */
  readonly expectedOutput: string | null;
  readonly files: readonly Fixture[];
  /** Absolute directories laid over the workspace in this order (BMad's base and per-case `setup/`). */
  readonly overlays: readonly string[];
  readonly output: OutputSource;
  readonly setup: string | null;
  readonly teardown: string | null;
  /** What a model is to extract from the output; the checks on it are in `checks`. */
  readonly sections: readonly Section[];
  /** Empty means the case is ungraded, never that it passed. */
  readonly checks: readonly Check[];
  readonly settings: CaseSettings;
  /** A reference answer for `controls`; from the `assay` key. */
  readonly reference: Reference | null;
  /** MCP servers by name, in the clients' own configuration shape; from the `assay` key. */
  readonly mcpServers: JsonObject | null;
  /** Keys the format does not know, and how the case was spelled, kept for a lossless round trip. */
  readonly extras: JsonObject;
}

export type Prompt =
  /** User messages, sent one after the other in one session. */
  | { readonly kind: "turns"; readonly turns: readonly string[] }
  /** "Run this skill with these arguments"; each harness spells it in its own way. */
  | { readonly kind: "invocation"; readonly args: string };

/** A file to stage before the run. */
export type Fixture =
  | {
      readonly kind: "path";
      /** As the eval file spells it. */
      readonly declared: string;
      /** Absolute path, or null when it cannot be staged; then `problem` says why. */
      readonly source: string | null;
      /** Relative path in the workspace, with forward slashes. */
      readonly target: string;
      readonly problem: string | null;
    }
  | { readonly kind: "inline"; readonly target: string; readonly content: string };

/** Which text the text checks read. */
export type OutputSource =
  /** The main agent's messages of all turns. */
  | { readonly kind: "messages" }
  /** Files relative to the workspace: `file` wins over `patterns` when both are declared. */
  | { readonly kind: "files"; readonly file: string | null; readonly patterns: readonly string[] };

/** What a case asks of the runner and the graders; null means "not said here". */
export interface CaseSettings {
  readonly timeoutSeconds: number | null;
  readonly harness: "claude-code" | "codex" | "auto" | null;
  readonly transport: "api" | "cli" | "auto" | null;
  /** One of those that Assay has, `auto`, or a judge of the user's own by its name. */
  readonly gradingProvider: string | null;
  readonly gradingModel: string | null;
  readonly gradeThresholds: GradeThresholds | null;
  readonly variance: { readonly runs: number | null; readonly minStability: number | null } | null;
  readonly syncTasks: boolean | null;
  readonly allowHangHeuristic: boolean | null;
  readonly systemPrompt: string | null;
  /** The framing a blind comparison shows its judge. */
  readonly userPrompt: string | null;
}

interface GradeThresholds {
  readonly minPassRate: number | null;
  readonly minMeanScore: number | null;
}

export interface Reference {
  readonly output: string | null;
  /** Relative workspace path to content. */
  readonly files: Readonly<Record<string, string>>;
}

export const NO_SETTINGS: CaseSettings = {
  timeoutSeconds: null,
  harness: null,
  transport: null,
  gradingProvider: null,
  gradingModel: null,
  gradeThresholds: null,
  variance: null,
  syncTasks: null,
  allowHangHeuristic: null,
  systemPrompt: null,
  userPrompt: null,
};

/** A case with only what every format must say; whoever makes one spreads it and adds the rest. */
export function plainCase(head: Pick<Case, "id" | "declaredId" | "kind" | "format" | "at" | "prompt">): Case {
  const { id, declaredId, kind, format, at, prompt } = head;
  // Written out, because spreading takes most of the time of loading thousands of files.
  return {
    id,
    declaredId,
    name: null,
    kind,
    format,
    at,
    prompt,
    expectedOutput: null,
    files: [],
    overlays: [],
    output: { kind: "messages" },
    setup: null,
    teardown: null,
    sections: [],
    checks: [],
    settings: NO_SETTINGS,
    reference: null,
    mcpServers: null,
    extras: {},
  };
}
