/** One thing that a run depends on and that is no longer what it was. */
export type Change =
  | { readonly kind: "client"; readonly from: ClientId; readonly to: ClientId }
  /** By the name in the options table. */
  | { readonly kind: "option"; readonly name: string }
  /** Null: which files is not known. */
  | { readonly kind: "project"; readonly files: readonly string[] | null }
  /** `part` says what of the main file; `file` is any other file of the skill. */
  | {
      readonly kind: "skill";
      readonly part: "description" | "frontmatter" | "body" | "file";
      readonly path: string;
    }
  | {
      readonly kind: "case";
      readonly caseId: string;
      /** Absolute path of the eval file. */
      readonly file: string;
      readonly part: CasePart;
    }
  /** What trigger queries are staged with: `--probe`, `--rivals`, or one of the rivals. */
  | { readonly kind: "probe" }
  /** The iteration was made before its parts were kept. */
  | { readonly kind: "unknown" };

/** Null: no agent was looked for. */
type ClientId = { readonly name: string; readonly version: string | null } | null;

export type CasePart =
  | "prompt"
  | "files"
  | "system prompt"
  | "timeout"
  | "sync_tasks"
  | "setup"
  | "teardown"
  | "shell checks"
  | "MCP servers"
  | "kind";
