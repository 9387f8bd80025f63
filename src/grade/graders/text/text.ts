import type { TextClaim } from "../../../domain/check.ts";
import type { SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import { type CheckOf, codeGrader } from "../../code-grader.ts";
import { type Decision, failed, measure } from "../../decision.ts";
import type { Grader } from "../../grader.ts";
import type { OutputText } from "../../subject.ts";
import { decideFinalJson } from "./final-json.ts";
import { isLiteral, openLiterals } from "./literals.ts";
import { openPatterns } from "./patterns.ts";

type Kind = Exclude<TextClaim["kind"], "urls_reachable">;

/** Checks on the output text, and on the JSON of the final message. */
export function textGrader({ regex }: { readonly regex: SafeRegex }): Grader<CheckOf<Kind>> {
  return codeGrader<Kind>({
    name: "text",
    kinds: [
      "contains",
      "not_contains",
      "starts_with",
      "ends_with",
      "regex",
      "min_count",
      "min_length",
      "max_length",
      "has_urls",
      "has_entries",
      "has_format",
      "final_json",
    ],
    async open(subject, checks) {
      const decideOutput = openOutput(subject.output, checks, regex);
      return (check): Promise<Decision> =>
        check.kind === "final_json" ? decideFinalJson(check, subject, regex) : decideOutput(check);
    },
  });
}

type OutputCheck = CheckOf<Exclude<Kind, "final_json">>;

function openOutput(
  output: OutputText,
  checks: readonly CheckOf<Kind>[],
  regex: SafeRegex,
): (check: OutputCheck) => Promise<Decision> {
  if (output.status === "missing") {
    const decision = failed(output.reason, [measure(output.reason)]);
    return async () => decision;
  }
  const decideLiteral = openLiterals(output.path, checks.filter(isLiteral));
  const decidePattern = openPatterns(output, regex);
  return (check) => (isLiteral(check) ? decideLiteral(check) : decidePattern(check));
}
