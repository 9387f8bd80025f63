import { execFileSync } from "node:child_process";
import { inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { zip, type ZipEntry } from "./zip.ts";

const entry = (name: string, content = name, executable = false): ZipEntry => ({
  name,
  content: Buffer.from(content),
  executable,
});

describe("zip", () => {
  it("gives the same bytes whatever the order of the entries", () => {
    const entries = [entry("b/z"), entry("b"), entry("a"), entry("ä"), entry("Z", "x", true)];
    const archive = zip(entries);
    expect(zip(entries.toReversed()).equals(archive)).toBe(true);
    expect(zip([...entries.slice(1), entry("b/z", "other")]).equals(archive)).toBe(false);
    expect(zip([...entries.slice(0, 4), entry("Z", "x")]).equals(archive)).toBe(false);
  });

  it("is what the format's description says, byte by byte", () => {
    expect(zip([entry("a", "hi")]).toString("hex")).toBe(
      [
        "504b0304 1400 0008 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000 61",
        "6869",
        "504b0102 1403 1400 0008 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000 0000 0000 0000 0000a481 00000000 61",
        "504b0506 0000 0000 0100 0100 2f000000 21000000 0000",
      ]
        .join("")
        .replaceAll(" ", ""),
    );
  });

  it("holds what was put in, by the offsets of its directory", () => {
    const names = fc.uniqueArray(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(names, fc.infiniteStream(fc.uint8Array({ maxLength: 300 })), (keys, contents) => {
        const entries = keys.map((name) => ({ name, content: contents.next().value!, executable: false }));
        const read = unzip(zip(entries));
        expect(read.size).toBe(new Set(keys.map((key) => Buffer.from(key).toString())).size);
        for (const { name, content } of entries) {
          expect(read.get(Buffer.from(name).toString())?.equals(content)).toBe(true);
        }
      }),
    );
  });

  it.skipIf(!has("python3"))("is read by Python (skipped where there is none)", async () => {
    const archive = zip([
      entry("tidy/SKILL.md", "x".repeat(1000)),
      entry("tidy/größe.txt", "é"),
      entry("tidy/run.sh", "#!/bin/sh\n", true),
      entry("tidy/empty", ""),
    ]);
    await using tree = await tempTree({ "a.zip": archive });
    const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, z.read(i).decode(), oct(i.external_attr >> 16), i.date_time[0]] for i in z.infolist()]))`;
    const printed = execFileSync("python3", ["-c", script, tree.path("a.zip")], { encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual([
      ["tidy/SKILL.md", "x".repeat(1000), "0o100644", 1980],
      ["tidy/empty", "", "0o100644", 1980],
      ["tidy/größe.txt", "é", "0o100644", 1980],
      ["tidy/run.sh", "#!/bin/sh\n", "0o100755", 1980],
    ]);
  });

  it.skipIf(!has("unzip"))("is intact for unzip (skipped where there is none)", async () => {
    await using tree = await tempTree({ "a.zip": zip([entry("a", "x".repeat(99)), entry("b/c")]) });
    expect(execFileSync("unzip", ["-t", tree.path("a.zip")], { encoding: "utf8" })).toContain("No errors");
  });

  it("refuses more files than the format counts", () => {
    expect(() => zip(Array.from({ length: 65_536 }, (_, index) => entry(String(index))))).toThrow(RangeError);
  });
});

function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - 22;
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < archive.readUInt16LE(end + 10); index++) {
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    const size = archive.readUInt32LE(at + 20);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + size);
    const content = archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed;
    files.set(archive.toString("utf8", at + 46, at + 46 + nameLength), content);
    at += 46 + nameLength;
  }
  return files;
}

function has(program: string): boolean {
  try {
    execFileSync(program, ["--help"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
