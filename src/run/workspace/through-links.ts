import path from "node:path";

/**
 * Where a path really lies when some of the directories that lead to it are links, e.g. `.claude/skills` that points at
 * `skills`: what is staged there joins what the project has there, instead of taking its place. The last name is only
 * followed with `whole`.
 */
export function throughLinks(
  relative: string,
  linkAt: (relative: string) => string | undefined,
  whole = false,
): string {
  let parts = relative.split("/");
  let hops = 0;
  for (let count = 1; count <= parts.length - (whole ? 0 : 1); count++) {
    const prefix = parts.slice(0, count).join("/");
    const target = linkAt(prefix);
    if (target === undefined) continue;
    if (path.posix.isAbsolute(target)) return relative;
    const meant = path.posix.join(path.posix.dirname(prefix), target);
    if (meant === ".." || meant.startsWith("../") || ++hops > MOST_HOPS) return relative;
    const head = meant === "." ? [] : meant.replace(/\/$/u, "").split("/");
    parts = [...head, ...parts.slice(count)];
    count = 0;
  }
  return parts.join("/");
}

const MOST_HOPS = 40;
