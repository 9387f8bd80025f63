import type { Claim } from "../../../domain/check.ts";
import { type DocNode, valueOf } from "../../../lib/document/node.ts";
import { compilePython } from "../../../lib/python-regex/compile.ts";

/**
 * A check in the words of other tools, as public files have them, where its meaning is beyond doubt: `{"type": "contains",
 * "value": …}`, `{"type": "regex", "pattern": …}`. Null: it is not.
 */
export function typedClaim(node: DocNode): Claim | null {
  const type = textAt(node, "type")?.toLowerCase().replaceAll("-", "_");
  const words = textAt(node, "value") ?? textAt(node, "needle");
  const length = valueOf(node, "value") ?? valueOf(node, "length");
  switch (type) {
    case "contains":
    case "not_contains":
    case "starts_with":
    case "ends_with":
      return words === null ? null : { kind: type, needle: words, ignoreCase: false };
    case "icontains":
      return words === null ? null : { kind: "contains", needle: words, ignoreCase: true };
    case "regex":
    case "matches":
      return regexClaim(textAt(node, "pattern") ?? words, textAt(node, "flags"));
    case "min_length":
    case "max_length":
      return length?.kind === "int" && length.value >= 0 ? { kind: type, length: length.value } : null;
    default:
      return null;
  }
}

function regexClaim(pattern: string | null, flags: string | null): Claim | null {
  if (pattern === null || !/^[gimsu]*$/.test(flags ?? "")) return null;
  const letters = (flags ?? "").replaceAll(/[gu]/g, "");
  const whole = letters === "" ? pattern : `(?${letters})${pattern}`;
  return compilePython(whole).ok ? { kind: "regex", pattern: whole } : null;
}

function textAt(node: DocNode, key: string): string | null {
  const value = valueOf(node, key);
  return value?.kind === "string" && value.value !== "" ? value.value : null;
}
