/** Why a path cannot be meant relative to a root and stay inside it; null when it can. Both slashes separate. */
export function pathProblem(path: string): PathProblem | null {
  if (path.trim() === "") return "blank";
  if (path.includes("\0")) return "nul";
  if (/^[/\\]|^[A-Za-z]:/.test(path)) return "absolute";
  if (/^~(?:$|[^/\\]*[/\\])/.test(path)) return "home";
  return escapes(path) ? "escapes" : null;
}

export type PathProblem = "blank" | "nul" | "absolute" | "home" | "escapes";

/** What is wrong with the path, as the end of a sentence about it. */
export function pathProblemText(problem: PathProblem): string {
  switch (problem) {
    case "blank":
      return "is blank";
    case "nul":
      return "holds a NUL character";
    case "absolute":
      return "is absolute";
    case "home":
      return "starts in a home directory";
    case "escapes":
      return 'leaves its root by ".."';
  }
}

/** Forward slashes, without `.`, `..` and empty parts; meant for paths without a problem. */
export function normalizeRelative(path: string): string {
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

function escapes(path: string): boolean {
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    depth += part === ".." ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}
