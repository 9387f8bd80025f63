import { createHash } from "node:crypto";
import { basename, relative } from "node:path";
import { fileNameProblem } from "../lib/file-name.ts";

/**
 * The case's id, from the file's place in its eval directory: `webfetch-failure/001.yaml` is `webfetch-failure--001`.
 * Different places have different ids, `.yaml` beside `.yml` excepted: where the plain id is unsafe or could be
 * that of another place, a digest of the place is added.
 */
export function caseId(path: string, evalsDirectory: string | null): string {
  const place = placeIn(path, evalsDirectory);
  const parts = place.split("/");
  const plain = parts.join(JOINT);
  const mistakable = parts.some((part) => part.includes(JOINT) || part.startsWith("-") || part.endsWith("-"));
  if (!mistakable && fileNameProblem(plain) === null) return plain;
  const digest = createHash("sha256").update(place).digest("hex").slice(0, 8);
  return `${slug(plain)}-${digest}`;
}

const JOINT = "--";

function placeIn(path: string, evalsDirectory: string | null): string {
  const inside = evalsDirectory === null ? "" : relative(evalsDirectory, path).replaceAll("\\", "/");
  const place = inside === "" || /^(?:\.\.(?:\/|$)|\/|[A-Za-z]:)/.test(inside) ? basename(path) : inside;
  return place.replace(/\.ya?ml$/i, "");
}

function slug(text: string): string {
  const kept = text.replaceAll(/[^\p{L}\p{N}_]+/gu, "-").replace(/^-+/, "");
  const short = Array.from(kept).slice(0, 24).join("");
  return short === "" ? "eval" : short;
}
