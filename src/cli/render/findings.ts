import { plural } from "../../operations/text.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Terminal } from "../terminal.ts";
import { diagnosticsText } from "./diagnostics.ts";

/** Prints what a check finds, piece by piece. */
export interface FindingsPrinter {
  readonly part: (suites: readonly Suite[], diagnostics: readonly Diagnostic[]) => void;
  /** Once, after the last part. */
  readonly end: () => void;
}

/** Lines for people, with a summary as the last. */
export function textFindings(terminal: Terminal): FindingsPrinter {
  const counts = { errors: 0, notes: 0, suites: 0, withoutSkill: 0, files: 0, cases: 0 };
  return {
    part(suites, diagnostics) {
      count(counts, suites, diagnostics);
      if (diagnostics.length === 0) return;
      terminal.out(diagnosticsText(diagnostics, terminal, "out"));
    },
    end() {
      const { errors, notes, files, cases } = counts;
      const found = `${suitesText(counts)}, ${plural(files, "eval file")}, ${plural(cases, "case")}`;
      const said = `${plural(errors, "error")}, ${plural(notes, "note")}`;
      terminal.out(`${errors === 0 ? "ok" : "not ok"}: ${found}; ${said}\n`);
    },
  };
}

/** One JSON object: `diagnostics`, `suites` and `counts`. The first is written as it comes, because it may be long. */
export function jsonFindings(terminal: Terminal): FindingsPrinter {
  const counts = { errors: 0, notes: 0, suites: 0, withoutSkill: 0, files: 0, cases: 0 };
  const found: string[] = [];
  let separator = '{\n"diagnostics": [\n';
  return {
    part(suites, diagnostics) {
      count(counts, suites, diagnostics);
      for (const { name, skill, files, cases } of suites) {
        const listed = files.map(({ path, format, dialect }) => ({ path, format, dialect }));
        found.push(
          JSON.stringify({ skill: name, file: skill?.file ?? null, files: listed, cases: cases.length }),
        );
      }
      if (diagnostics.length === 0) return;
      terminal.out(separator + diagnostics.map((diagnostic) => JSON.stringify(diagnostic)).join(",\n"));
      separator = ",\n";
    },
    end() {
      const head = separator === ",\n" ? "\n" : separator;
      terminal.out(
        `${head}],\n"suites": [\n${found.join(",\n")}\n],\n"counts": ${JSON.stringify(counts)}\n}\n`,
      );
    },
  };
}

/** `2 skills, 1 set of evals without a skill`. */
function suitesText({ suites, withoutSkill }: { suites: number; withoutSkill: number }): string {
  const sets =
    withoutSkill === 1 ? "1 set of evals without a skill" : `${withoutSkill} sets of evals without a skill`;
  return [
    ...(suites > withoutSkill || withoutSkill === 0 ? [plural(suites - withoutSkill, "skill")] : []),
    ...(withoutSkill > 0 ? [sets] : []),
  ].join(", ");
}

function count(
  counts: {
    errors: number;
    notes: number;
    suites: number;
    withoutSkill: number;
    files: number;
    cases: number;
  },
  suites: readonly Suite[],
  diagnostics: readonly Diagnostic[],
): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  counts.errors += errors;
  counts.notes += diagnostics.length - errors;
  counts.suites += suites.length;
  counts.withoutSkill += suites.filter(({ skill }) => skill === null).length;
  for (const suite of suites) {
    counts.files += suite.files.length;
    counts.cases += suite.cases.length;
  }
}
