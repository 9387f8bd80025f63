import { dirname, relative, resolve } from "node:path";
import type { Diagnostic, Location } from "../../../domain/diagnostic.ts";
import type { DocNode } from "../../../lib/document/node.ts";
import { literally } from "../../../lib/js-pattern.ts";
import { type ReadContext, ROOT } from "../../../lib/shape/shape.ts";
import { findBeside, readBeside } from "../../beside.ts";
import { parseDocument } from "../../document.ts";
import { isInside, listDirectory } from "../../directory.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { unmappedIn } from "../../unmapped.ts";

/** A node with the file it is in. */
export interface Placed {
  readonly node: DocNode;
  readonly document: SourceDocument;
}

/** What every part of the configuration is read with. */
export class Reading {
  readonly unmapped: ReturnType<typeof unmappedIn>;
  refused = false;
  /** Every `file://` is read below it. */
  readonly root: string;
  readonly #base: string;
  readonly #told = new Set<string>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(document: SourceDocument, context: LoadContext) {
    const { skill, report } = context;
    this.unmapped = unmappedIn("promptfoo", context);
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

  /** The files that a pattern with `*` in its last part names, in order; null after it was refused. */
  async matching(reference: string, { node, document }: Placed): Promise<readonly string[] | null> {
    const [, folder = "", last = ""] = /^(?:file:\/\/)?(.*\/)?([^/]*)$/.exec(reference) ?? [];
    const at = document.at(node.start);
    const found = folder.includes("*") ? null : await findBeside(this.root, this.#below(folder));
    if (found === null || !found.ok) {
      const why = found === null ? "has a * before its last part" : found.problem;
      return this.refuse(at, "bad-file", `${JSON.stringify(reference)} ${why}`, "list the files one by one");
    }
    const pattern = new RegExp(`^${last.split("*").map(literally).join(".*")}$`);
    const { files } = await listDirectory(found.path, () => undefined);
    const names = files.filter((name) => pattern.test(name));
    if (names.length > 0) return names.map((name) => `${folder}${name}`);
    return this.refuse(at, "bad-file", `${JSON.stringify(reference)} names no file`, null);
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
