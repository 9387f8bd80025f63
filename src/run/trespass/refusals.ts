import { sensitivePlacesIn } from "../../lib/sensitive-places.ts";
import type { Trespass } from "../../domain/run.ts";

/** What programs complained about: absolute paths they could not change or open, and secrets that were not there. */
export function refusalsIn(text: string, isOwn: (path: string) => boolean): readonly Trespass[] {
  if (!COMPLAINT.test(text)) return [];
  const refused = PATTERNS.flatMap(({ pattern, what, became }) =>
    [...text.matchAll(pattern)].flatMap(({ 1: path = "" }) =>
      isOwn(path) || HARMLESS.test(path)
        ? []
        : [{ kind: "refused" as const, what: `${what} ${path}`, became }],
    ),
  );
  const missing = [...text.matchAll(MISSING)].flatMap(({ 1: path = "" }) =>
    sensitivePlacesIn(path).length === 0
      ? []
      : [{ kind: "secret" as const, what: `read ${path}`, became: "not there" }],
  );
  const device = DEVICE.test(text)
    ? [{ kind: "refused" as const, what: "make a device", became: "not permitted" }]
    : [];
  const mount = MOUNT.exec(text)?.[1] ?? null;
  const mounted =
    mount === null
      ? []
      : [{ kind: "refused" as const, what: `mount over ${mount}`, became: "not permitted" }];
  return [...refused, ...missing, ...device, ...mounted, ...unreached(text)];
}

/** One of the words that the patterns need. */
const COMPLAINT =
  /[Rr]ead-only file system|ermission denied|not permitted|cross-device|such device|superuser|only root|No such file|Errno|Could not resolve|Failed to connect|name resolution|nreachable|ENOTFOUND|EAI_AGAIN|ECONNREFUSED/;

/** `cat: /etc/shadow: Permission denied`, `EROFS: read-only file system, open '/usr/x'`, `[Errno 13] ...: '/etc/x'`. */
const shell = (words: string) => new RegExp(String.raw`(/[^\s'"’:,]{2,200})['"’]?: ${words}`, "g");
const node = (code: string) => new RegExp(String.raw`\b${code}: [^\n]{0,60}?'(/[^'\n]{2,200})'`, "g");
const python = (errno: number) =>
  new RegExp(String.raw`\[Errno ${errno}\] [\w -]{1,40}: '(/[^'\n]{2,200})'`, "g");

const KINDS = [
  { words: "Read-only file system", code: "EROFS", errno: 30, what: "change", became: "read-only" },
  { words: "[Pp]ermission denied", code: "EACCES", errno: 13, what: "open", became: "permission denied" },
  { words: "Operation not permitted", code: "EPERM", errno: 1, what: "change", became: "not permitted" },
  { words: "Invalid cross-device link", code: "EXDEV", errno: 18, what: "link", became: "not permitted" },
  { words: "No such device or address", code: "ENXIO", errno: 6, what: "open", became: "not possible" },
] as const;

const PATTERNS = KINDS.flatMap(({ words, code, errno, what, became }) =>
  [shell(words), node(code), python(errno)].map((pattern) => ({ pattern, what, became })),
);

const MISSING = /(\/[^\s'"’:,]{2,200})['"’]?(?::|,[^\n]{0,20}) [Nn]o such file or directory/g;

/** Looked at by ordinary programs all the time. */
const HARMLESS = /^\/(?:dev\/(?:null|std\w+|fd)|proc\/self)(?:\/|$)/;

const MOUNT = /\bmount: (\/[^:\n]{1,200}): (?:must be superuser|permission denied|only root)/;
const DEVICE = /\bmknod: [^\n]{1,200}: (?:Operation not permitted|Permission denied)/;

const UNREACHED = [
  /Could not resolve host:? ['"]?([\w.-]{3,200})/g,
  /Failed to connect to ([\w.:-]{3,200})/g,
  /\b(?:ENOTFOUND|EAI_AGAIN) ([\w.-]{3,200})/g,
  /\bconnect ECONNREFUSED [\0@]?([\w.:-]{3,200})/g,
];

function unreached(text: string): readonly Trespass[] {
  return UNREACHED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 1: host = "" }) => ({
      kind: "refused" as const,
      what: `connect to ${host.replace(/[.:]+$/, "")}`,
      became: "not reached",
    })),
  );
}
