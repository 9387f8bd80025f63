/** The format of a packed file that cannot be looked into; null for every other file. */
export function closedKind(bytes: Buffer): string | null {
  const start = bytes.toString("hex", 0, 16);
  return CLOSED.find(({ begins }) => begins.test(start))?.kind ?? null;
}

/** By the bytes that a file of this kind begins with, in hexadecimal digits. */
const CLOSED: readonly { readonly kind: string; readonly begins: RegExp }[] = [
  { kind: "xz", begins: /^fd377a585a00/ },
  { kind: "bzip2", begins: /^425a683[1-9](?:314159265359|177245385090)/ },
  { kind: "zstd", begins: /^(?:28b52ffd|5.2a4d18)/ },
  { kind: "7z", begins: /^377abcaf271c/ },
  { kind: "rar", begins: /^526172211a07/ },
  { kind: "lz4", begins: /^(?:0422|0221)4d18/ },
  { kind: "lzma", begins: /^5d0000.{4}(?:f{16}|.{10}0{6})/ },
  { kind: "lzip", begins: /^4c5a49500[01]/ },
  { kind: "lzop", begins: /^894c5a4f000d0a1a0a/ },
  { kind: "compress", begins: /^1f9d[89]/ },
  { kind: "snappy", begins: /^ff060000734e61507059/ },
  { kind: "cab", begins: /^4d53434600000000/ },
  { kind: "deb", begins: /^213c617263683e0a64656269616e/ },
  { kind: "rpm", begins: /^edabeedb/ },
  { kind: "squashfs", begins: /^68737173/ },
  { kind: "openssl", begins: /^53616c7465645f5f/ },
  { kind: "age", begins: /^6167652d656e6372797074696f6e2e/ },
];
