/** The format of a packed file that cannot be looked into; null for every other file. */
export function closedKind(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 16).toString("latin1");
  return CLOSED.find(({ begins }) => begins.test(start))?.kind ?? null;
}

/** By the bytes that a file of this kind begins with, as latin1. */
const CLOSED: readonly { readonly kind: string; readonly begins: RegExp }[] = [
  { kind: "xz", begins: /^\xfd7zXZ\0/ },
  { kind: "bzip2", begins: /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/ },
  { kind: "zstd", begins: /^(?:\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/ },
  { kind: "7z", begins: /^7z\xbc\xaf\x27\x1c/ },
  { kind: "rar", begins: /^Rar!\x1a\x07/ },
  { kind: "lz4", begins: /^(?:\x04\x22|\x02\x21)\x4d\x18/ },
  { kind: "lzma", begins: /^\x5d\0\0[\0-\xff]{2}(?:\xff{8}|[\0-\xff]{5}\0{3})/ },
  { kind: "lzip", begins: /^LZIP[\0\x01]/ },
  { kind: "lzop", begins: /^\x89LZO\0\r\n\x1a\n/ },
  { kind: "compress", begins: /^\x1f\x9d[\x80-\x90]/ },
  { kind: "snappy", begins: /^\xff\x06\0\0sNaPpY/ },
  { kind: "cab", begins: /^MSCF\0{4}/ },
  { kind: "deb", begins: /^!<arch>\ndebian/ },
  { kind: "rpm", begins: /^\xed\xab\xee\xdb/ },
  { kind: "squashfs", begins: /^hsqs/ },
  { kind: "openssl", begins: /^Salted__/ },
  { kind: "age", begins: /^age-encryption\./ },
];
