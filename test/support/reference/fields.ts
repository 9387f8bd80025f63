import { cell, isNode, type Node, type SourceFile, sourceFiles } from "./source.ts";

/** What programs read, and the type that says what is in it. */
const ROOTS = [
  {
    type: "EvalEvent",
    heading: "Events",
    intro:
      "`event` of each line of `--reporter jsonl`, and each line of `journal.jsonl` (without what is only shown live). A line of the reporter has `kind` (`event`), `suite`, `iteration`, `harness`, `model` and `event`; the last line is a receipt with `kind` (`receipt`), `events` (how many lines came before it), `iterations`, `failures` and `notBegun`.",
  },
  {
    type: "Summary",
    heading: "Summary",
    intro:
      "`summary.json`, and each entry of `iterations` in what `--json` and `--reporter json` print (there with `folder`, the iteration's folder).",
  },
  {
    type: "TrendLine",
    heading: "Trend",
    intro: "Each line of `trend.jsonl`, and each entry of `iterations` in what `assay trend --json` prints.",
  },
  {
    type: "TranscriptEvent",
    heading: "Transcript",
    intro: "Each line of a run's `transcript.jsonl`: what the agent said and did.",
  },
  {
    type: "Diagnostic",
    heading: "Findings",
    intro: "Each entry of `diagnostics` in what `assay check --json` prints.",
  },
] as const;

interface Declared {
  readonly node: Node;
  readonly file: SourceFile;
  /** Where the declaration begins, with its `export`. */
  readonly start: number;
}

/** `docs/reference/json.md`, from the types that the program itself is checked by. */
export function fieldsPage(): string {
  const types = declaredTypes();
  const shown = new Set<string>();
  const sections: string[] = [];
  for (const { type, heading, intro } of ROOTS) {
    sections.push(`## ${heading}\n\n${intro}`);
    const queue: string[] = [type];
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const declared = types.get(name);
      if (declared === undefined || shown.has(name)) continue;
      shown.add(name);
      const { text, named } = described(name, declared, types);
      if (text !== null) sections.push(text);
      queue.push(...named);
    }
  }
  return `${HEAD}\n${sections.join("\n\n")}\n`;
}

const HEAD = `# Every event and JSON field

Generated from the types that the source is checked by (\`npm run reference\`); a test fails when the page is out of date. \`null\` means unknown or not
applicable, never zero. Every file of the results folder is in [results.md](../results.md).
`;

function declaredTypes(): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  for (const file of sourceFiles("domain", /\b(?:interface|type)\b/))
    for (const statement of file.program["body"] as readonly Node[]) {
      const inner = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
      if (
        isNode(inner) &&
        (inner.type === "TSInterfaceDeclaration" || inner.type === "TSTypeAliasDeclaration")
      )
        found.set(nameOf(inner["id"]), { node: inner, file, start: statement.start });
    }
  return found;
}

function described(
  name: string,
  { node, file, start }: Declared,
  types: ReadonlyMap<string, Declared>,
): { readonly text: string | null; readonly named: readonly string[] } {
  const named: string[] = [];
  const typeText = (one: Node): string => {
    const source = file.text
      .slice(one.start, one.end)
      .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
      .replaceAll("readonly ", "")
      .replace(/\(typeof (\w+)\)\[number\]/, (whole, list: string) => choicesOf(file, list) ?? whole)
      .replace(/^typeof STORE_SCHEMA$/, "number");
    for (const [word] of source.matchAll(/\b[A-Z]\w+/g)) if (types.has(word)) named.push(word);
    return cell(source).replace(/^\\\| /, "");
  };
  const rows = (members: readonly Node[]): string[] =>
    members
      .filter(({ type }) => type === "TSPropertySignature")
      .map((member) => {
        const type = (member["typeAnnotation"] as Node)["typeAnnotation"] as Node;
        const optional = member["optional"] === true ? "?" : "";
        return `| \`${nameOf(member["key"])}${optional}\` | \`${typeText(type)}\` | ${commentBefore(file, member.start)} |`;
      });
  const table = (members: readonly Node[]) =>
    ["| field | type | |", "|---|---|---|", ...rows(members)].join("\n");
  const parts: string[] = [];
  if (node.type === "TSInterfaceDeclaration") {
    const above = (node["extends"] as readonly Node[]).map((one) => typeText(one));
    if (above.length > 0) parts.push(`Also every field of ${above.map((one) => `\`${one}\``).join(", ")}.`);
    parts.push(table((node["body"] as Node)["body"] as readonly Node[]));
  } else {
    const type = node["typeAnnotation"] as Node;
    const members = type.type === "TSUnionType" ? (type["types"] as readonly Node[]) : [type];
    if (members.some((one) => one.type === "TSTypeLiteral"))
      for (const one of members) {
        const comment = commentBefore(file, one.start);
        const { title, members: fields } = titled(one);
        parts.push(
          one.type === "TSTypeLiteral"
            ? [title, comment, fields.length > 0 && table(fields)]
                .filter((part) => part !== "" && part !== false)
                .join("\n\n")
            : `Or \`${typeText(one)}\`.`,
        );
      }
    else parts.push(`\`${typeText(type)}\``);
  }
  const about = commentBefore(file, start);
  return { text: [`### ${name}`, ...(about === "" ? [] : [about]), ...parts].join("\n\n"), named };
}

/** The texts of a list that a type is made from. */
function choicesOf({ text }: SourceFile, list: string): string | null {
  const inner = new RegExp(`const ${list} = \\[([^\\]]*)\\]`).exec(text)?.[1];
  return inner === undefined ? null : (inner.match(/"[^"]*"/g) ?? []).join(" | ");
}

/** One member of a union is known by the word in its first field. */
function titled(one: Node): { readonly title: string; readonly members: readonly Node[] } {
  const members = (one["members"] ?? []) as readonly Node[];
  const [first, ...rest] = members;
  const type = (first?.["typeAnnotation"] as Node | undefined)?.["typeAnnotation"] as Node | undefined;
  const literal = type?.type === "TSLiteralType" ? (type["literal"] as Node) : null;
  if (first === undefined || typeof literal?.["value"] !== "string") return { title: "", members };
  return { title: `**\`${nameOf(first["key"])}\` is \`"${literal["value"]}"\`**`, members: rest };
}

/** The comment right above a place, on one line, its drawing left aside. */
function commentBefore({ text, comments }: SourceFile, start: number): string {
  const comment = comments.findLast(({ end }) => end <= start && /^[\s|]*$/.test(text.slice(end, start)));
  if (comment === undefined) return "";
  const lines = comment.value
    .replace(/^\*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""));
  return cell(lines.filter((line) => !/^ {4}/.test(line)).join(" "));
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node["name"] ?? node["value"]) : "";
}
