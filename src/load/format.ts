import type { Diagnostic, Location } from "../domain/diagnostic.ts";
import type { AnyFormatName, EvalFile } from "../domain/suite.ts";
import type { Skill } from "../domain/skill.ts";
import type { DocNode } from "../lib/document/node.ts";
import type { UnmappedFields } from "./unmapped.ts";
import type { JsonSchema } from "../lib/shape/shape.ts";

/** One eval file format: recognises its files, reads them, writes them back. */
export interface Format extends Importer {
  /** The file's text in this format, with what the format cannot express. */
  write(file: EvalFile): Written;
}

/** A format that is read and not written. What it cannot carry over is told field by field, and kept in `extras`. */
export interface Importer {
  readonly name: AnyFormatName;
  /** How sure the format is that this document is one of its own, and which of its shapes it has. */
  recognise(document: SourceDocument): Recognition | null;
  /** Every problem goes to `context.report`; null means the file cannot be used. Never throws for what a file says. */
  load(document: SourceDocument, context: LoadContext): Promise<EvalFile | null>;
  /** JSON Schema by dialect, from the shapes the loader uses. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

export interface Recognition {
  readonly dialect: string;
  /** `certain` when a key belongs to no other format; `likely` when several could read it. */
  readonly confidence: "certain" | "likely";
}

/** A file that parsed, with the way back from nodes to places. */
export interface SourceDocument {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Of a Markdown file: its frontmatter, an empty object where there is none. */
  readonly root: DocNode;
  readonly at: (offset: number) => Location;
}

export interface LoadContext {
  readonly report: (diagnostic: Diagnostic) => void;
  /** The skill under test where discovery found one. */
  readonly skill: Skill | null;
  /** Absolute project root, where the search for one ended. */
  readonly projectRoot: string | null;
  /** Names of judges that a configuration adds; absent: there are none. */
  readonly furtherJudges?: readonly string[];
  /** Where importers put what they cannot carry over, told once for many files; absent: each reports its own. */
  readonly unmapped?: UnmappedFields;
  /** Absolute directory of the eval set the file belongs to, for case ids made from paths; absent: the file's own. */
  readonly evalsDirectory?: string | null;
}

export interface Written {
  /** The one file, or the first of `files`. */
  readonly text: string;
  /** Every file by relative name where one does not hold it all; absent: `text` is all there is. */
  readonly files?: readonly WrittenFile[];
  /** What the format cannot express, one sentence each; a lossless write has none. */
  readonly losses: readonly string[];
}

export interface WrittenFile {
  /** Relative, with forward slashes. */
  readonly name: string;
  readonly text: string;
}
