import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { EvalFile } from "../domain/suite.ts";
import { type PlainValue, toPlain } from "../lib/document/node.ts";
import { fileNameProblem } from "../lib/file-name.ts";
import { schemaProblems } from "../lib/shape/schema-problems.ts";
import { parseDocument, readDocument } from "./document.ts";
import { deepText, mutants } from "./fixtures/mutants.ts";
import type { Format, Importer, SourceDocument } from "./format.ts";

/** A file that its format reads without any problem. */
export interface FormatSample {
  readonly dialect: string;
  /** Its ending says whether it is JSON or YAML. */
  readonly fileName: string;
  readonly text: string;
  /** The files it speaks of, by path relative to it; absent: none. */
  readonly beside?: Readonly<Record<string, string>>;
}

export interface FormatKit {
  readonly format: Format;
  /** At least one of each dialect; the more of the format's words it uses, the more is tried. */
  readonly samples: readonly FormatSample[];
  /** Files of other formats, and of no format at all. */
  readonly foreign: readonly FormatSample[];
}

/** What every format promises. */
export function formatContract(name: string, { format, samples, foreign }: FormatKit): void {
  contract(name, { format, writer: format, samples, foreign });
}

export interface ImporterKit extends Omit<FormatKit, "format"> {
  readonly format: Importer;
}

/** What every format promises that is only read. */
export function importerContract(name: string, kit: ImporterKit): void {
  contract(name, { ...kit, writer: null });
}

function contract(
  name: string,
  { format, writer, samples, foreign }: ImporterKit & { readonly writer: Format | null },
): void {
  describe(`format ${name}`, () => {
    it("has a sample and a schema for each of its dialects", () => {
      const dialects = new Set(samples.map(({ dialect }) => dialect));
      expect([...dialects].toSorted()).toEqual(Object.keys(format.schemas).toSorted());
    });

    it("is never certain about a file of another format", () => {
      const claimed = foreign.filter((one) => format.recognise(parsed(one))?.confidence === "certain");
      expect(claimed.map(({ fileName }) => fileName)).toEqual([]);
    });

    describe.each(samples)("$dialect in $fileName", (sample) => {
      const folder = mkdtempSync(join(tmpdir(), "format-contract-"));
      afterAll(() => rmSync(folder, { recursive: true }));
      const path = join(folder, sample.fileName);
      for (const [name, text] of Object.entries({ ...sample.beside, [sample.fileName]: sample.text })) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      const attempt = (text: string) =>
        load(format, (report) => Promise.resolve(parseDocument(path, text, report)));

      it("is recognized", () => {
        expect(format.recognise(parsed(sample))?.dialect).toBe(sample.dialect);
      });

      it("loads without an error, in the same way each time", async () => {
        const first = await attempt(sample.text);
        expect(first.problems.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(first.file).toMatchObject({ format: format.name, dialect: sample.dialect });
        expect(await attempt(sample.text)).toEqual(first);
      });

      const writers = writer === null ? [] : [writer];
      it.each(writers)("comes back whole from being written and read again", async (one) => {
        const file = usable(await attempt(sample.text));
        const written = one.write(file);
        expect(written.losses).toEqual([]);
        const again = usable(await attempt(written.text));
        expect(withoutPlaces(again)).toEqual(withoutPlaces(file));
        expect(one.write(again)).toEqual(written);
      });

      it("reads the same with a byte order mark and with other line ends", async () => {
        const { file } = await attempt(sample.text);
        const lines = sample.text.replaceAll(/\r?\n/g, "\r\n");
        for (const text of [`\uFEFF${sample.text}`, lines, `\uFEFF${lines}`]) {
          writeFileSync(path, text);
          const other = await load(format, (report) => readDocument(path, report));
          expect(withoutPlaces(other.file)).toEqual(withoutPlaces(file));
        }
      });

      it("is what its schema describes", () => {
        const { root } = parsed(sample);
        expect(schemaProblems(format.schemas[sample.dialect] ?? {}, toPlain(root))).toEqual([]);
      });

      it(
        "is used and comes back whole, or is refused with the place and the reason, whatever one value becomes",
        async () => {
          let used = 0;
          for (const { change, value } of mutants(toPlain(parsed(sample).root))) {
            const text = JSON.stringify(value, null, 1);
            const answer = await attempt(text);
            expect(flawsOf(answer, { text, change })).toEqual([]);
            if (answer.file !== null && writer === null) used++;
            const written = (answer.file && writer?.write(answer.file)) ?? null;
            if (written === null || written.losses.length > 0) continue;
            used++;
            const again = await attempt(written.text);
            expect({ change, file: withoutPlaces(again.file) }).toEqual({
              change,
              file: withoutPlaces(answer.file),
            });
          }
          expect(used).toBeGreaterThan(0);
        },
        SLOW_MS,
      );

      it(
        "is used, or refused with the place and the reason, wherever its text is cut or spoiled",
        async () => {
          for (const text of spoiled(sample.text)) {
            expect(flawsOf(await attempt(text), { text, change: text })).toEqual([]);
          }
        },
        SLOW_MS,
      );

      it(
        "is used, or refused with the place and the reason, with something deep or huge in it",
        async () => {
          const root = toPlain(parsed(sample).root);
          const long = JSON.stringify("long ".repeat(20_000));
          for (const large of [deepText(100), deepText(10_000), long, JSON.stringify(manyEntries(root))]) {
            for (const text of inEachPlace(root, large)) {
              expect(flawsOf(await attempt(text), { text, change: text.slice(0, 200) })).toEqual([]);
            }
          }
        },
        SLOW_MS,
      );
    });
  });
}

const SLOW_MS = 60_000;

interface Answer {
  readonly file: EvalFile | null;
  readonly problems: readonly Diagnostic[];
}

type Report = (problem: Diagnostic) => void;

async function load(
  format: Importer,
  read: (report: Report) => Promise<SourceDocument | null>,
): Promise<Answer> {
  const problems: Diagnostic[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const document = await read(report);
  if (document === null) return { file: null, problems };
  format.recognise(frozen(document));
  return { file: await format.load(document, { report, skill: null, projectRoot: null }), problems };
}

function parsed(sample: FormatSample): SourceDocument {
  const document = parseDocument(`/nowhere/demo/${sample.fileName}`, sample.text, () => {});
  if (document === null) throw new Error(`the sample ${sample.fileName} is not well-formed`);
  return frozen(document);
}

function usable({ file, problems }: Answer): EvalFile {
  if (file === null) throw new Error(`the file is refused: ${JSON.stringify(problems)}`);
  return file;
}

/** A file that cannot be used has an error, one that can has none; each problem names its place, each case and check itself. */
function flawsOf(
  { file, problems }: Answer,
  { text, change }: { text: string; change: string },
): readonly unknown[] {
  const lineCount = text.split(/\r\n|[\n\r]/).length;
  const flaws: unknown[] = problems.filter((problem) => !isSound(problem, lineCount));
  const errors = problems.filter(({ severity }) => severity === "error");
  if (file === null && errors.length === 0) flaws.push("the file is refused without an error");
  if (file !== null && errors.length > 0) flaws.push("the file is used in spite of", ...errors);
  const ids = file?.cases.map(({ id }) => id) ?? [];
  flaws.push(...ids.filter((id) => fileNameProblem(id) !== null));
  const checkIds = file?.cases.map(({ checks }) => checks.map(({ id }) => id)) ?? [];
  flaws.push(...[ids, ...checkIds].filter((names) => new Set(names).size < names.length));
  return flaws.length === 0 ? [] : [change, ...flaws];
}

function isSound({ at, code, message, hint }: Diagnostic, lineCount: number): boolean {
  const isPlaced = at !== null && at.line >= 1 && at.line <= lineCount && at.column >= 1;
  const isNamed = /^[a-z][a-z-]*\/[a-z][a-z-]*$/.test(code);
  return isPlaced && isNamed && message.trim() !== "" && hint?.trim() !== "";
}

/** What a file says, without where it says it. */
function withoutPlaces(file: EvalFile | null): unknown {
  return file && { ...file, path: "", cases: file.cases.map((one) => ({ ...one, at: null })) };
}

/** The text cut off, or with a stray character in it, at each of about a hundred places. */
function* spoiled(text: string): Generator<string> {
  const step = Math.max(1, Math.floor(text.length / 100));
  for (let end = 0; end < text.length; end += step) {
    const start = text.slice(0, end);
    yield start;
    for (const noise of ["\u0000", "{", '"', "\n", "\ud800"]) yield `${start}${noise}${text.slice(end)}`;
  }
}

/** The document's text with this JSON in the place of each of its top-level values, and of all of it. */
function inEachPlace(root: PlainValue, value: string): readonly string[] {
  if (Array.isArray(root)) return [`[${JSON.stringify(root[0])}, ${value}]`, value];
  const entries = Object.entries(root as object);
  const texts = entries.map(([key]) =>
    entries.map(
      (entry) => `${JSON.stringify(entry[0])}: ${entry[0] === key ? value : JSON.stringify(entry[1])}`,
    ),
  );
  return [...texts.map((lines) => `{${lines.join(", ")}}`), value];
}

/** The first list of the document, many times over. */
function manyEntries(root: PlainValue): PlainValue {
  const list = Array.isArray(root)
    ? root
    : Object.values(root as object).find((value) => Array.isArray(value));
  const entries: readonly PlainValue[] = list ?? [root];
  return Array.from({ length: 1000 }, (_, index) => entries[index % entries.length] ?? null);
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
