import type { SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import { codeGrader, type Decisions } from "../../code-grader.ts";
import { type Decision, failed, measure, unscored } from "../../decision.ts";
import type { Grader } from "../../grader.ts";
import type { Subject } from "../../subject.ts";
import { decideFinalJson } from "./final-json.ts";
import { isLiteral, type LiteralCheck, openLiterals } from "./literals.ts";
import { openPatterns, type PatternCheck } from "./patterns.ts";
import { decideWordCount } from "./word-count.ts";

/** Checks on the output text, and on the JSON of the final message. */
export function textGrader({ regex }: { readonly regex: SafeRegex }): Grader {
  return codeGrader<"output", Opened>({
    name: "text",
    reads: "output",
    async open(subject, checks) {
      const { output } = subject;
      if (output.status !== "present")
        return { subject, regex, text: { missing: output.reason, isKnown: output.status === "missing" } };
      const text = {
        path: output.path,
        literal: openLiterals(output.path, checks.filter(isLiteral)),
        pattern: openPatterns(output, regex),
      };
      return { subject, regex, text };
    },
    decisions: DECISIONS,
  });
}

interface Opened {
  readonly subject: Subject;
  readonly regex: SafeRegex;
  /** Not known to be missing: nobody kept it. */
  readonly text: OpenText | { readonly missing: string; readonly isKnown: boolean };
}

/** The output of a run that has one, read at most once for all checks alike. */
interface OpenText {
  readonly path: string;
  readonly literal: (check: LiteralCheck) => Promise<Decision>;
  readonly pattern: (check: PatternCheck) => Promise<Decision>;
}

const literal = onText((check: LiteralCheck, text) => text.literal(check));
const matched = onText((check: PatternCheck, text) => text.pattern(check));

const DECISIONS: Decisions<"output", Opened> = {
  contains: literal,
  not_contains: literal,
  starts_with: literal,
  ends_with: literal,
  min_length: literal,
  max_length: literal,
  regex: matched,
  min_count: matched,
  has_urls: matched,
  has_entries: matched,
  has_format: matched,
  word_count: onText((check, { path }) => decideWordCount(check, path)),
  final_json: (check, { subject, regex }) => decideFinalJson(check, subject, regex),
};

/** Without an output, nothing can be said for it. */
function onText<C>(decide: (check: C, text: OpenText) => Promise<Decision>) {
  return async (check: C, { text }: Opened): Promise<Decision> => {
    if (!("missing" in text)) return decide(check, text);
    return text.isKnown ? failed(text.missing, [measure(text.missing)]) : unscored(text.missing);
  };
}
