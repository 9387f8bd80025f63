import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic, Location } from "../../domain/diagnostic.ts";
import { LINT_RULES, type Risk, SCAN_RULES, scanRule } from "../../operations/check.ts";
import { printable } from "../../operations/text.ts";
import { VERSION } from "../../operations/version.ts";
import type { Terminal } from "../terminal.ts";
import type { FindingsPrinter } from "./findings.ts";

/** A SARIF 2.1.0 log with one run; results are written as they come, because there may be many. */
export function sarifFindings(terminal: Terminal): FindingsPrinter {
  let separator = `${HEAD}\n`;
  const results = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.map((one) => JSON.stringify(resultOf(one, terminal.cwd))).join(",\n");
  return {
    part(_, diagnostics) {
      if (diagnostics.length === 0) return;
      terminal.out(separator + results(diagnostics));
      separator = ",\n";
    },
    end() {
      const head = separator === ",\n" ? "" : separator;
      terminal.out(`${head}\n],"columnKind":"utf16CodeUnits"}]}\n`);
    },
  };
}

/** What services sort security findings by, from 0 to 10. */
const SECURITY_SEVERITY: Readonly<Record<Risk, string>> = { high: "8.0", medium: "5.0", low: "2.0" };

const RULES = [
  ...LINT_RULES.map(({ code, explanation }) => ({ id: code, shortDescription: { text: explanation } })),
  ...SCAN_RULES.map(({ code, explanation, fix, risk }) => ({
    id: code,
    shortDescription: { text: explanation },
    help: { text: fix },
    properties: { "security-severity": SECURITY_SEVERITY[risk], tags: ["security"] },
  })),
];

const HEAD = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":${JSON.stringify(
  { name: "assay", version: VERSION, rules: RULES },
)}},"results":[`;

function resultOf({ code, severity, message, hint, at }: Diagnostic, cwd: string): object {
  const index = RULES.findIndex(({ id }) => id === code);
  return {
    ruleId: code,
    ...(index === -1 ? {} : { ruleIndex: index }),
    level: severity === "error" || scanRule(code)?.risk === "high" ? "error" : "note",
    message: { text: printable(hint === null ? message : `${message}. Hint: ${hint}`) },
    locations: at === null ? [] : [locationOf(at, cwd)],
  };
}

function locationOf({ file, line, column }: Location, cwd: string): object {
  return {
    physicalLocation: {
      artifactLocation: artifact(file, cwd),
      region: { startLine: line, startColumn: column },
    },
  };
}

/** Relative to where the command was called, which services take for the root of the repository. */
function artifact(file: string, cwd: string): object {
  const way = relative(cwd, file);
  if (way === "" || way.startsWith("..") || isAbsolute(way)) return { uri: pathToFileURL(file).href };
  return { uri: way.split(sep).map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
}
