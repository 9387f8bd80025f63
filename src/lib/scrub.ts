/** The text without what time and chance decide: dates, times, durations, ids and ports. */
export function scrubbed(text: string): string {
  let left = text;
  for (const [pattern, mark] of CHANCES) left = left.replaceAll(pattern, mark);
  return left;
}

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?";
const ZONE = "(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}|[+-]\\d{2}(?::?\\d{2})?))?";

const CHANCES: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [new RegExp(`\\b\\d{4}-\\d{2}-\\d{2}(?:[T ]${CLOCK}${ZONE})?`, "g"), "<date>"],
  [
    new RegExp(`\\b(?:${DAY},? +)?${MONTH} +\\d{1,2},? +(?:${CLOCK}${ZONE}(?: +\\d{4})?|\\d{4})\\b`, "g"),
    "<date>",
  ],
  [new RegExp(`\\b(?:${DAY},? +)?\\d{1,2} ${MONTH} \\d{4}(?: ${CLOCK}${ZONE})?`, "g"), "<date>"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g, "<time>"],
  [/\b\d+m\d+(?:\.\d+)?s\b/g, "<duration>"],
  [/\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?)\b/g, "<duration>"],
  [/\bduration_ms: \d+/g, "<duration>"],
  [/\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, "$1:<port>"],
  // The width of a column follows from the longest entry in it.
  [/[ \t]{2,}/g, " "],
];
