import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { secretMask } from "../secret-mask.ts";
import { zip } from "../zip.ts";
import { packedness, secretInside } from "./secret-inside.ts";

/** Not real, and of no shape that could be told without knowing it. */
const KEY = "Kq7Zr2mW9xTb4LsV8nYd/+uE3";
const mask = secretMask([KEY]);
const inside = (bytes: Buffer, name = "file") => secretInside({ name, bytes }, mask);
const zipped = (content: Buffer, name = "inner.txt") => zip([{ name, content, executable: false }]);

/** One member after the other, with the end that `tar` writes. */
function tar(members: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(members).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write("ustar", 257);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const PACKERS: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  gzip: (content) => gzipSync(content),
  "gzip behind gzip": (content) => Buffer.concat([gzipSync("first"), gzipSync(content)]),
  "gzip without its end": (content) => {
    const whole = gzipSync(Buffer.concat([content, Buffer.alloc(200_000, "x")]));
    return whole.subarray(0, whole.length - 8);
  },
  zip: (content) => zipped(content),
  "zip behind a program": (content) => Buffer.concat([Buffer.from("#!/bin/sh\nexit 0\n"), zipped(content)]),
  "zip without its directory": (content) => {
    const whole = zipped(content);
    return whole.subarray(0, whole.indexOf("PK\x01\x02", 0, "latin1"));
  },
  zlib: (content) => deflateSync(content),
  tar: (content) => tar({ "a.txt": Buffer.from("clean"), "b.txt": content }),
  "tar.gz": (content) => gzipSync(tar({ "b.txt": content })),
  "gzip in tar": (content) => tar({ "b.gz": gzipSync(content) }),
  "zip in zip in gzip": (content) => gzipSync(zipped(zipped(content), "inner.zip")),
  PDF: (content) =>
    Buffer.concat([
      Buffer.from("%PDF-1.7\n1 0 obj\nstream\r\n"),
      deflateSync(content),
      Buffer.from("\nendstream"),
    ]),
};

describe.each(Object.entries(PACKERS))("%s", (_, pack) => {
  it("with a secret in it is found, whatever its spelling", () => {
    for (const text of [
      `key ${KEY}\n`,
      Buffer.from(KEY).toString("base64"),
      Buffer.from(KEY).toString("hex"),
    ])
      expect(inside(pack(Buffer.from(`${text}\n`.repeat(50))))).toEqual({ why: "secret" });
  });

  it("without one is clean", () => {
    expect(inside(pack(Buffer.from("nothing here\n".repeat(50))))).toBeNull();
  });
});

it("looks into brotli by its name, for it has no beginning of its own", () => {
  expect(inside(brotliCompressSync(`key ${KEY}\n`.repeat(9)), "page.html.br")).toEqual({ why: "secret" });
  expect(inside(brotliCompressSync("nothing"), "page.html.br")).toBeNull();
  expect(inside(Buffer.from("no brotli"), "page.html.br")).toEqual({ why: "closed", kind: "brotli" });
});

it("finds a secret in the name of a member", () => {
  expect(inside(zipped(Buffer.from("x"), `${KEY.replace("/", "_")}/${KEY}.txt`))).toEqual({ why: "secret" });
});

/** "nothing", packed by the programs themselves, or how their files begin. */
const CLOSED: Readonly<Record<string, Buffer>> = {
  bzip2: Buffer.from("QlpoOTFBWSZTWb+HtY4AAALBgAAQAOGEACAAIg09AhgOINkou5IpwoSF/D2scA==", "base64"),
  xz: Buffer.from(
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHbm90aGluZwoAv34KkxXTy68AASAIuxnZux+2830BAAAAAARZWg==",
    "base64",
  ),
  lzma: Buffer.from("XQAAgAD//////////wA3G8rvIP1mstgRJX///vKwAA==", "base64"),
  zstd: Buffer.from("28b52ffd0008", "hex"),
  "7z": Buffer.from("377abcaf271c0004", "hex"),
  rar: Buffer.from("526172211a0701", "hex"),
  lz4: Buffer.from("04224d186440", "hex"),
  compress: Buffer.from("1f9d90", "hex"),
  openssl: Buffer.from("Salted__12345678"),
};

it.each(Object.entries(CLOSED))(
  "says that %s cannot be looked into, also inside other archives",
  (kind, bytes) => {
    const closed = { why: "closed", kind };
    expect(inside(bytes)).toEqual(closed);
    expect(inside(zipped(bytes, "a"))).toEqual(closed);
    expect(inside(tar({ a: bytes }))).toEqual(closed);
    expect(inside(gzipSync(bytes))).toEqual(closed);
    expect(packedness("a", bytes)).toBe("packed");
  },
);

it("takes an archive that is locked or damaged for one that cannot be looked into", () => {
  const locked = zipped(Buffer.from("nothing here\n".repeat(50)));
  locked.writeUInt16LE(1, 6);
  expect(inside(locked)).toEqual({ why: "closed", kind: "zip" });
  const otherwise = zipped(Buffer.from("nothing here\n".repeat(50)));
  otherwise.writeUInt16LE(93, 8);
  expect(inside(otherwise)).toEqual({ why: "closed", kind: "zip" });
  const damaged = gzipSync("nothing here\n".repeat(50));
  damaged.fill(0xff, 10, 20);
  expect(inside(damaged)).toEqual({ why: "closed", kind: "gzip" });
});

it("is not exhausted by what unpacks to too much, or is packed too often", () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));
  expect(inside(bomb)).toEqual({ why: "too-large" });
  let onion = Buffer.from("nothing");
  for (let layer = 0; layer < 8; layer++) onion = gzipSync(onion);
  expect(inside(onion)).toEqual({ why: "too-large" });
});

it.each([
  ["text", Buffer.from("nothing here")],
  ["text that begins as zlib does", Buffer.from("x^2 + y^2 = z^2")],
  ["a program that knows zip", Buffer.from("\x7fELF\0\0PK\x03\x04\xff\xff\xff\xff\xff\xff rest", "latin1")],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
])("leaves %s alone", (_, bytes) => {
  expect(inside(bytes)).toBeNull();
});
