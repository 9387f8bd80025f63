import { escapeRegExp } from "../../lib/escape-reg-exp.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";

/** Takes out of a text what is nobody's business: secrets, where the person works, who they are. */
export interface Cleaner {
  readonly clean: (text: string) => string;
  /** A path as the case knows it: relative to where the session worked; null: it lies elsewhere. */
  readonly path: (path: string) => string | null;
  /** What was taken out so far, in words. */
  readonly removed: () => readonly string[];
}

export function cleaner(
  cwd: string | null,
  { mask, home }: { readonly mask: SecretMask; readonly home: string },
): Cleaner {
  const counts = { secrets: 0, paths: 0, addresses: 0 };
  const inCwd = cwd === null ? null : new RegExp(`${escapeRegExp(cwd)}(/|(?![\\w.-]))`, "g");
  const own = home === "" || home === "/" ? HOMES : new RegExp(`${escapeRegExp(home)}|${HOMES.source}`, "g");
  const clean = (text: string): string => {
    let cleaned = mask
      .text(text)
      .replaceAll(ASSIGNED, (whole: string, head: string, value: string) =>
        isSecret(value) ? `${head}[masked]` : whole,
      );
    if (cleaned !== text) counts.secrets += (cleaned.match(/\[masked\]/g) ?? []).length;
    const before = cleaned;
    if (inCwd !== null)
      cleaned = cleaned.replaceAll(inCwd, (_whole, slash: string) => (slash === "/" ? "" : "."));
    cleaned = cleaned.replaceAll(own, "~");
    if (cleaned !== before) counts.paths++;
    return cleaned.replaceAll(ADDRESS, (address) => {
      if (NOBODYS.test(address)) return address;
      counts.addresses++;
      return "person@example.com";
    });
  };
  return {
    clean,
    path(path) {
      const plain = path.replace(/^\.\//, "");
      const inside = cwd !== null && plain.startsWith(`${cwd}/`) ? plain.slice(cwd.length + 1) : plain;
      const parts = inside.split("/");
      const leaves =
        inside.startsWith("/") || inside.startsWith("~") || /^[A-Za-z]:/.test(inside) || parts.includes("..");
      return leaves || parts.includes(".git") || (parts.at(-1) ?? "").startsWith(".env") ? null : inside;
    },
    removed: () => [
      ...(counts.secrets > 0 ? [`${counts.secrets} secret values`] : []),
      ...(counts.paths > 0 ? [`personal paths in ${counts.paths} texts`] : []),
      ...(counts.addresses > 0 ? [`${counts.addresses} e-mail addresses`] : []),
    ],
  };
}

/** Addresses at names that are reserved for examples. */
const NOBODYS = /@(?:example\.(?:com|org|net)|[\w.-]+\.(?:test|invalid|example))$/i;

/** `password: hunter2` and the like, which no shape tells. */
const ASSIGNED =
  /((?:password|passwd|secret|token|api[_-]?key|private[_-]?key)\s*["']?\s*[:=]\s*["']?)([^\s"',;]{6,})/gi;

function isSecret(value: string): boolean {
  return value !== "[masked]" && !/^(?:\$\{?|<|process\.env|os\.environ|None|null|true|false)/.test(value);
}

const HOMES = /(?:\/home\/|\/Users\/|[A-Z]:\\Users\\)[A-Za-z0-9._-]+/g;
const ADDRESS = /[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g;
