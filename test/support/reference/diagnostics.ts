import { LINT_RULES, SCAN_RULES } from "../../../src/operations/check.ts";
import { cell, isNode, type Node, nodesBelow, type SourceFile, sourceFiles } from "./source.ts";

/** One way in which a code is said. */
interface Said {
  readonly code: string;
  readonly message: string | null;
  readonly hint: string | null;
}

/** `docs/reference/diagnostics.md`, from what the source says. */
export function diagnosticsPage(): string {
  const ruled = new Set([...LINT_RULES, ...SCAN_RULES].map(({ code }): string => code));
  const said = sourceFiles(".", /\bUserError\(|\bcode:/)
    .flatMap(saidIn)
    .filter(({ code }) => !ruled.has(code));
  const areas = new Map<string, Said[]>();
  for (const one of said) {
    const area = one.code.includes("/") ? (one.code.split("/")[0] ?? "") : FORMATS;
    areas.set(area, [...(areas.get(area) ?? []), one]);
  }
  const sections = [...areas.keys()]
    .toSorted()
    .map((area) => `## ${area}\n\n${INTROS[area] ?? ""}${table(areas.get(area) ?? [])}`);
  return `${HEAD}\n${sections.join("\n\n")}\n\n${rules()}\n`;
}

const FORMATS = "Inside a file";

const HEAD = `# Every diagnostic code

Errors and notes end with a stable code in brackets, such as \`[config/not-yours]\`. Search this page for it. The messages are generated from the
source (\`npm run reference\`), with \`…\` where a value stands; a test fails when the page is out of date.

An error stops with exit code 2. A note does not, unless you pass \`--strict\`.
`;

const INTROS: Readonly<Record<string, string>> = {
  [FORMATS]:
    "Problems inside an eval file, a configuration or a script. The full code starts with what was read, as in\n`clauditor/wrong-type` or `bmad/bad-id`.\n\n",
};

function table(said: readonly Said[]): string {
  const byCode = new Map<string, Said[]>();
  for (const one of said) byCode.set(one.code, [...(byCode.get(one.code) ?? []), one]);
  const rows = [...byCode]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, ways]) => {
      const messages = unique(ways.map(({ message }) => message));
      const hints = unique(ways.map(({ hint }) => hint));
      return `| \`${code}\` | ${messages.join("<br>")} | ${hints.join("<br>")} |`;
    });
  return ["| code | says | next step |", "|---|---|---|", ...rows].join("\n");
}

function unique(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text === null || text === "…" ? [] : [cell(text)])))];
}

function saidIn({ program, text }: SourceFile): readonly Said[] {
  const found: Said[] = [];
  for (const node of nodesBelow(program)) {
    if (node.type === "NewExpression" && nameOf(node["callee"]) === "UserError") {
      const [code, message, options] = node["arguments"] as readonly Node[];
      for (const one of codesIn(code, { slashed: true }))
        found.push({ code: one, message: words(message), hint: words(valueIn(options, "hint")) });
    }
    if (node.type === "ObjectExpression" && valueIn(node, "code") !== null)
      for (const one of codesIn(valueIn(node, "code"), { slashed: false }))
        if (valueIn(node, "message") !== null)
          found.push({
            code: one,
            message: words(valueIn(node, "message")),
            hint: words(valueIn(node, "hint")),
          });
  }
  return found.filter(({ code }) => /^[a-z-]+(?:\/[a-z-]+)?$/.test(code) && !text.includes("(injected)"));
}

/** A literal, or the literals that a condition chooses between. */
function codesIn(node: Node | null | undefined, { slashed }: { slashed: boolean }): readonly string[] {
  if (node?.type === "ConditionalExpression")
    return [node["consequent"], node["alternate"]].flatMap((one) =>
      isNode(one) ? codesIn(one, { slashed }) : [],
    );
  const value = node?.type === "Literal" ? node["value"] : null;
  if (typeof value !== "string" || value === "") return [];
  return slashed && !value.includes("/") ? [] : [value];
}

function valueIn(node: Node | null | undefined, key: string): Node | null {
  if (node?.type !== "ObjectExpression") return null;
  const property = (node["properties"] as readonly Node[]).find(
    (one) => one.type === "Property" && nameOf(one["key"]) === key,
  );
  return isNode(property?.["value"]) ? property["value"] : null;
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === "Identifier" ? String(node["name"]) : null;
}

/** What a reader sees of it; … where the program puts something in. Null: nothing is written down here. */
function words(node: Node | null | undefined): string | null {
  switch (node?.type) {
    case "Literal":
      return typeof node["value"] === "string" ? node["value"] : null;
    case "TemplateLiteral": {
      const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
      return quasis.map(({ value }) => value.cooked).join("…");
    }
    case "ConditionalExpression": {
      const ways = [words(node["consequent"] as Node), words(node["alternate"] as Node)];
      return ways.filter((way) => way !== null).join(" / ") || null;
    }
    case "BinaryExpression": {
      const sides = [words(node["left"] as Node), words(node["right"] as Node)];
      return sides.map((side) => side ?? "…").join("");
    }
    default:
      return node === null || node === undefined ? null : "…";
  }
}

function rules(): string {
  const skill = LINT_RULES.map(
    ({ code, severity, explanation }) =>
      `| \`${code}\` | ${severity.spec} | ${severity["claude-code"]} | ${severity.strict} | ${cell(explanation)} |`,
  );
  const scan = SCAN_RULES.map(
    ({ code, risk, explanation }) => `| \`${code}\` | ${risk} | ${cell(explanation)} |`,
  );
  return [
    "## skill",
    "",
    "What `assay check` holds a SKILL.md to, by `--profile`.",
    "",
    "| code | spec | claude-code | strict | rule |",
    "|---|---|---|---|---|",
    ...skill,
    "",
    "## security",
    "",
    "What `assay check` finds in the files that an agent gets with a skill.",
    "",
    "| code | risk | what is found |",
    "|---|---|---|",
    ...scan,
  ].join("\n");
}
