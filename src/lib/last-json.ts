export type LastJson =
  | { readonly status: "found"; readonly value: unknown; readonly source: string }
  | { readonly status: "broken"; readonly source: string; readonly problem: string }
  | { readonly status: "none" };

/** The last JSON block of a text: the last one between code fences, or else the last object or list in the prose. */
export function lastJson(text: string): LastJson {
  const fenced = fencedBlocks(text).findLast(
    ({ tag, body }) => /^json[c5]?$/i.test(tag) || /^\s*[[{]/.test(body),
  );
  if (fenced === undefined) return lastInProse(text);
  const source = fenced.body.trim();
  try {
    return { status: "found", value: JSON.parse(source) as unknown, source };
  } catch (error) {
    return { status: "broken", source, problem: (error as Error).message };
  }
}

/** An unclosed fence ends with the text, as in Markdown. */
function fencedBlocks(text: string): readonly { readonly tag: string; readonly body: string }[] {
  const blocks: { tag: string; body: string }[] = [];
  let open: { fence: string; tag: string; lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, fence = "", tag = ""] = /^[ \t>]*(`{3,}|~{3,})[ \t]*([^\s`]*)/.exec(line) ?? [];
    if (open === null) {
      if (fence !== "") open = { fence, tag, lines: [] };
    } else if (fence.startsWith(open.fence) && tag === "") {
      blocks.push({ tag: open.tag, body: open.lines.join("\n") });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) blocks.push({ tag: open.tag, body: open.lines.join("\n") });
  return blocks;
}

function lastInProse(text: string): LastJson {
  let found: LastJson = { status: "none" };
  let effort = MOST_EFFORT;
  const opening = /[[{]/g;
  for (let match = opening.exec(text); match !== null && effort > 0; match = opening.exec(text)) {
    const from = match.index;
    const to = closing(text, from, effort);
    effort -= (to ?? text.length) - from;
    const source = to === null ? "" : text.slice(from, to);
    const parsed = parse(source);
    if (parsed === null) continue;
    found = { status: "found", value: parsed.value, source };
    opening.lastIndex = from + source.length;
  }
  return found;
}

/** Characters looked at in all: a text that is full of brackets and no JSON must not take for ever. */
const MOST_EFFORT = 20_000_000;

/** The index behind the bracket that closes the one at `from`; null when none does. */
function closing(text: string, from: number, most: number): number | null {
  let depth = 0;
  const end = Math.min(text.length, from + most);
  for (let index = from; index < end; index++) {
    switch (text[index]) {
      case '"':
        for (index++; index < end && text[index] !== '"'; index++) if (text[index] === "\\") index++;
        break;
      case "{":
      case "[":
        depth++;
        break;
      case "}":
      case "]":
        if (--depth === 0) return index + 1;
        break;
      default:
        break;
    }
  }
  return null;
}

function parse(source: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(source) as unknown };
  } catch {
    return null;
  }
}
