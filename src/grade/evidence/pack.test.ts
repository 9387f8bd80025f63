import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { makePdf } from "../../../test/support/make-pdf.ts";
import type { TranscriptBody } from "../../domain/transcript.ts";
import { zip } from "../../lib/zip.ts";
import { makeSubject, newFolder, type SubjectParts } from "../fixtures/make-subject.ts";
import type { Subject, SubjectFile } from "../subject.ts";
import { evidencePack, packParts, type PackOptions } from "./pack.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

describe("evidencePack", () => {
  it("holds to its budget with everything too large, and says what was left out", async () => {
    const big = (name: string): string =>
      Array.from({ length: 3000 }, (_, line) => `${name} ${line}`).join("\n");
    const events: TranscriptBody[] = Array.from({ length: 60 }, (_, index): TranscriptBody =>
      index % 2 === 0
        ? { kind: "tool-call", callId: String(index), tool: "Bash", input: { command: big("command") } }
        : {
            kind: "tool-result",
            callId: String(index - 1),
            tool: null,
            output: big("result"),
            isError: false,
            denied: false,
          },
    );
    const text = await packText(
      {
        events: [...events, { kind: "message", role: "assistant", text: big("answer") }],
        files: { "a.md": big("file"), "b.md": "small" },
      },
      { budgetChars: 20_000 },
    );
    expect(text.length).toBeLessThan(23_000);
    expect(text).toContain("answer 0\n");
    expect(text).toContain("answer 2999");
    expect(text).toContain("file 2999");
    expect(text).toMatch(/file 2 "b.md"\]\]\nsmall\n/);
    expect(text.match(/\(shown: \d+ of \d+ characters\)/g)?.length).toBeGreaterThan(2);
  });

  it("leaves whole events out of a long run rather than a word of each, and names them", async () => {
    const events = Array.from({ length: 2000 }, (_, index): TranscriptBody => ({
      kind: "tool-call",
      callId: String(index),
      tool: index % 2 === 0 ? "Bash" : "Read",
      input: `${"x".repeat(300)} ${index}`,
    }));
    const text = await packText({ events }, { budgetChars: 10_000 });
    expect(text.length).toBeLessThan(12_000);
    expect(text).toContain("event 0 call of Bash");
    expect(text).toContain("event 1999 call of Read");
    expect(text).toMatch(/left out\]\] event \d+ to event \d+: call of \w+ x\d+, call of \w+ x\d+/);
    expect(text).toContain("Bash x1000, Read x1000");
  });

  it("finds the lines that matter in a large file", async () => {
    const lines = Array.from({ length: 20_000 }, (_, line) =>
      line === 11_111 ? "total payable: 99 EUR" : `row ${line}`,
    );
    const text = await packText(
      { files: { "a.csv": lines.join("\n") } },
      { budgetChars: 4000, statements: ["The total payable is right"] },
    );
    expect(text).toContain("[... line 11112:]\ntotal payable: 99 EUR");
  });

  it("lists files with hashes, changes and why one cannot be read", async () => {
    const subject = subjectOf({
      files: { "made.md": "x", "huge.bin": null, "odd.dat": Buffer.from([1, 0, 2]) },
      run: { changes: [{ path: "old.md", change: "deleted", bytes: 0, sha256: null, captured: false }] },
    });
    const files = subject.files.map((file, index): SubjectFile =>
      index === 0 ? { ...file, origin: "modified", sha256: "ab".repeat(32) } : file,
    );
    const input: SubjectFile = { path: "in.txt", origin: "input", stored: null, bytes: 3, sha256: null };
    const { lists } = await evidencePack({ ...subject, files: [input, ...files] }, { statements: [] });
    expect(lists.files.text.split("\n")).toEqual([
      'file 1 "made.md": modified, 1 bytes, sha256 abababababab',
      'file 2 "huge.bin": created, 1000000000 bytes, unreadable: too large to be kept',
      'file 3 "odd.dat": created, 3 bytes, unreadable: binary',
      'file 4 "in.txt": input, unchanged, 3 bytes, unreadable: too large to be kept',
      '"old.md": deleted',
    ]);
    expect(lists.files.whole).toBe(true);
  });

  it("says when there are more files than it lists", async () => {
    const subject = subjectOf({});
    const files = Array.from({ length: 350 }, (_, index): SubjectFile => ({
      path: `${index}.md`,
      origin: "created",
      stored: null,
      bytes: 1,
      sha256: null,
    }));
    const { lists } = await evidencePack({ ...subject, files }, { statements: [] });
    expect(lists.files.whole).toBe(false);
    expect(lists.files.text).toMatch(/and 150 more files$/);
  });

  it("shows office documents as text, and UTF-16 too", async () => {
    const document = zip([
      {
        name: "word/document.xml",
        content: Buffer.from("<w:p><w:t>Signed by Ann</w:t></w:p>"),
        executable: false,
      },
    ]);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("wide", "utf16le")]);
    const text = await packText({ files: { "a.docx": document, "b.txt": utf16 } });
    expect(text).toContain('file 1 "a.docx"]]\nSigned by Ann');
    expect(text).toContain('file 2 "b.txt"]]\nwide');
  });

  it("shows the text of a PDF, or says why it cannot", async () => {
    const content = "BT /F1 12 Tf 72 700 Td (Total \\227 \\200 12) Tj ET";
    const locked = makePdf({ content, encryption: { userPassword: "secret", ownerPassword: "sesame" } });
    const text = await packText({ files: { "a.pdf": makePdf({ content }), "b.pdf": locked } });
    expect(text).toContain('file 1 "a.pdf"]]\n# Page 1\nTotal — € 12');
    expect(text).toContain(
      `file 2 "b.pdf": created, ${locked.length} bytes, unreadable: a PDF that needs a password`,
    );
  });

  it("shows images only to judges that take them, and only a few", async () => {
    const png = Buffer.from("89504e470d0a1a0a00000000", "hex");
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}.png`, png]));
    const shown = packParts(await evidencePack(subjectOf({ files }), { statements: [], images: true }), "x");
    expect(shown.filter((part) => part.kind === "image")).toHaveLength(8);
    const hidden = packParts(await evidencePack(subjectOf({ files }), { statements: [] }), "x");
    expect(hidden.every((part) => part.kind === "text")).toBe(true);
  });

  it("shows what was asked when the transcript does not, and the output when no message holds it", async () => {
    const text = await packText({
      output: "captured text",
      case: { prompt: { kind: "invocation", args: "--count 5" } },
    });
    expect(text).toContain("request what the agent was asked]]\n--count 5");
    expect(text).toContain("output the graded text]]\ncaptured text");
    const said = await packText({
      output: "said",
      events: [
        { kind: "message", role: "user", text: "q" },
        { kind: "message", role: "assistant", text: "said" },
      ],
    });
    expect(said).not.toContain("request");
    expect(said.match(/said/g)).toHaveLength(1);
  });

  it("shows a declared output file once", async () => {
    const text = await packText({
      output: "the report",
      files: { "out.md": "the report" },
      case: { output: { kind: "files", file: "out.md", patterns: [] } },
    });
    expect(text.match(/the report/g)).toHaveLength(1);
  });

  it("marks sub-agents, denied calls and errors", async () => {
    const text = await packText({
      events: [
        { kind: "message", role: "assistant", text: "mine", agent: "helper" },
        { kind: "tool-call", callId: "1", tool: "Bash", input: ["a"] },
        { kind: "tool-result", callId: "1", tool: null, output: "no", isError: true, denied: true },
        { kind: "tool-result", callId: "2", tool: null, output: "bad", isError: true, denied: false },
        { kind: "skill-activated", skill: "pdf", by: "tool" },
        { kind: "error", message: "boom" },
      ] as SubjectParts["events"] & {},
    });
    for (const heading of [
      "event 0 assistant (sub-agent helper)",
      "event 2 result of Bash, denied",
      "event 3 result of a tool, an error",
      "event 4 skill taken up",
      "event 5 error",
    ]) {
      expect(text).toContain(heading);
    }
  });
});

async function packText(parts: SubjectParts, options: Partial<PackOptions> = {}): Promise<string> {
  const pack = await evidencePack(subjectOf(parts), { statements: [], ...options });
  return packParts(pack, "x")
    .map((part) => (part.kind === "text" ? part.text : "(image)"))
    .join("\n");
}

function subjectOf(parts: SubjectParts): Subject {
  const folder = newFolder();
  folders.push(folder);
  return makeSubject({ output: null, ...parts }, folder);
}
