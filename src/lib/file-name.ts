/** Why a text cannot be the name of one file or directory on every common system; null when it can. */
export function fileNameProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (/[/\\]/.test(name)) return "contains a path separator";
  if (name.startsWith(".")) return "starts with a dot";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return "contains a control character";
  if (/[<>:"|?*]/.test(name)) return 'contains one of < > : " | ? *';
  if (/^\s|[\s.]$/u.test(name)) return "begins or ends with a space, or ends with a dot";
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)) return "is a reserved device name";
  if (Buffer.byteLength(name) > MAX_BYTES) return `is longer than ${MAX_BYTES} bytes`;
  return null;
}

/** As many whole characters of a name as fit beside `spareBytes` more, without a hyphen or dot at the end. */
export function shortened(name: string, spareBytes: number): string {
  let bytes = 0;
  let short = "";
  for (const char of name) {
    bytes += Buffer.byteLength(char);
    if (bytes > MAX_BYTES - spareBytes) return short.replace(/[-.]+$/, "");
    short += char;
  }
  return short;
}

/** Leaves room, within the 255 bytes of common file systems, for what is put before and after. */
const MAX_BYTES = 120;
