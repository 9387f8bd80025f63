import { dirname, relative, resolve } from "node:path";
import type { Diagnostic, Location } from "../../../domain/diagnostic.ts";
import type { Json } from "../../../domain/json.ts";
import type { DocNode } from "../../../lib/document/node.ts";
import { type ReadContext, ROOT } from "../../../lib/shape/shape.ts";
import { readBeside } from "../../beside.ts";
import { parseDocument } from "../../document.ts";
import { isInside } from "../../directory.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { UnmappedFields } from "../../unmapped.ts";

/** A node with the file it is in. */
export interface Placed {
  readonly node: DocNode;
  readonly document: SourceDocument;
}

/** What every part of the configuration is read with. */
export class Reading {
  readonly unmapped = new UnmappedFields();
  /** Values of the file that no case carries, by field. */
  readonly left: Record<string, Json> = {};
  refused = false;
  /** Every `file://` is read below it. */
  readonly root: string;
  readonly #base: string;
  readonly #told = new Set<string>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(document: SourceDocument, { skill, report }: LoadContext) {
    this.#base = dirname(document.path);
    this.root = skill !== null && isInside(this.#base, skill.root) ? skill.root : this.#base;
    this.#report = report;
  }

  refuse(at: Location, code: string, message: string, hint: string | null = null): null {
    this.refused = true;
    this.#once({ severity: "error", code: `promptfoo/${code}`, message, at, hint });
    return null;
  }

  context({ document }: Pick<Placed, "document">): ReadContext {
    return {
      path: ROOT,
      report: ({ severity, code, message, offset, hint }) => {
        if (severity === "error") this.refused = true;
        const at = document.at(offset);
        this.#once({ severity, code: `promptfoo/${code}`, message, at, hint: hint ?? null });
      },
    };
  }

  /** The file that a `file://` names; null after it was refused. */
  async file(reference: string, { node, document }: Placed): Promise<{ path: string; text: string } | null> {
    const declared = reference.replace(/^file:\/\//, "");
    const absolute = /^[/\\~]|^[A-Za-z]:/.test(declared);
    const read = await readBeside(this.root, absolute ? declared : this.#below(declared));
    if (read.ok) return read;
    const hint = "only files below the skill, or else below the configuration, are read";
    return this.refuse(
      document.at(node.start),
      "bad-file",
      `${JSON.stringify(reference)} ${read.problem}`,
      hint,
    );
  }

  /** As `file`, parsed; the way there is told, so that files that lead back to themselves end. */
  async parsed(reference: string, placed: Placed, way: readonly string[]): Promise<SourceDocument | null> {
    const file = await this.file(reference, placed);
    if (file === null) return null;
    const at = placed.document.at(placed.node.start);
    if (way.includes(file.path)) {
      const steps = [...way, file.path].map((path) => relative(this.root, path)).join(" -> ");
      return this.refuse(
        at,
        "file-cycle",
        `these files lead back to themselves: ${steps}`,
        "remove one of them",
      );
    }
    if (!/\.(?:ya?ml|json)$/i.test(file.path)) {
      return this.refuse(
        at,
        "bad-file",
        `${JSON.stringify(reference)} is not read`,
        "tests can be in YAML or JSON files",
      );
    }
    return parseDocument(file.path, file.text, (diagnostic) => {
      this.refused = true;
      this.#report(diagnostic);
    });
  }

  /** What a default says is read again for each test. */
  #once(diagnostic: Diagnostic): void {
    const { at, message } = diagnostic;
    const key = `${at?.file}:${at?.line}:${at?.column} ${message}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#report(diagnostic);
  }

  /** promptfoo resolves every path from the configuration's folder. */
  #below(declared: string): string {
    return relative(this.root, resolve(this.#base, declared)) || ".";
  }
}
