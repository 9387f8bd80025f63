/** A piece of a line of code. */
export interface Token {
  readonly kind: "plain" | "word" | "text" | "note" | "number";
  readonly text: string;
}

const WORDS =
  /^(?:abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|delete|do|elif|else|end|enum|except|export|extends|false|finally|fn|for|from|func|function|if|impl|import|in|interface|is|lambda|let|match|mod|new|nil|none|not|null|or|package|pass|private|pub|public|raise|readonly|return|self|static|struct|super|switch|then|this|throw|true|try|type|typeof|use|var|void|while|with|yield)$/i;
const PIECE =
  /(?<note>(?:\/\/|#(?![\w-]*[:;{])|--\s).*$|\/\*.*?(?:\*\/|$))|(?<text>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`?)|(?<number>\b\d[\d_.]*(?:e[+-]?\d+)?\b)|(?<name>[A-Za-z_]\w*)/g;

/** Long lines are data, not code. */
const LONG = 2000;

/** Enough to tell comments, texts, numbers and key words apart in most languages. */
export function tokensOf(line: string): readonly Token[] {
  if (line.length > LONG) return [{ kind: "plain", text: line }];
  const tokens: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(PIECE)) {
    if (match.index > at) tokens.push({ kind: "plain", text: line.slice(at, match.index) });
    tokens.push({ kind: kindOf(match), text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) tokens.push({ kind: "plain", text: line.slice(at) });
  return tokens;
}

function kindOf({ groups }: RegExpExecArray): Token["kind"] {
  if (groups?.["note"] !== undefined) return "note";
  if (groups?.["text"] !== undefined) return "text";
  if (groups?.["number"] !== undefined) return "number";
  return WORDS.test(groups?.["name"] ?? "") ? "word" : "plain";
}
