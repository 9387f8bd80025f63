import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Claim, TextClaim } from "../../../domain/check.ts";
import { verdictOn, verdictsOn } from "../../fixtures/decide.ts";

const literal = (kind: "contains" | "not_contains" | "starts_with" | "ends_with") =>
  function claim(needle: string, ignoreCase = false): TextClaim {
    return { kind, needle, ignoreCase };
  };
const contains = literal("contains");
const notContains = literal("not_contains");
const startsWith = literal("starts_with");
const endsWith = literal("ends_with");
const regex = (pattern: string): TextClaim => ({ kind: "regex", pattern });
const minCount = (pattern: string, count: number): TextClaim => ({ kind: "min_count", pattern, count });
const minLength = (length: number): TextClaim => ({ kind: "min_length", length });
const maxLength = (length: number): TextClaim => ({ kind: "max_length", length });
const hasUrls = (count: number): TextClaim => ({ kind: "has_urls", count });
const hasEntries = (count: number): TextClaim => ({ kind: "has_entries", count });
const hasFormat = (format: string, count = 1): TextClaim => ({ kind: "has_format", format, count });

describe("text checks", () => {
  it.each<[string, TextClaim, string, "passed" | "failed"]>([
    ["a needle", contains("Venues"), "# Venues\n", "passed"],
    ["the case of a needle", contains("venues"), "# Venues\n", "failed"],
    ["any case", contains("VENUES", true), "# venues\n", "passed"],
    ["any case beyond ASCII", contains("ÉTÉ", true), "un été", "passed"],
    ["the kelvin sign as a k", contains("10k", true), "10\u212A", "passed"],
    ["an empty needle", contains(""), "", "passed"],
    ["a needle over two lines", contains("a\nb"), "x a\nb y", "passed"],
    ["a needle over two lines of a CRLF output", contains("a\nb"), "x a\r\nb y", "passed"],
    ["a CRLF needle in an LF output", contains("a\r\nb"), "x a\nb y", "failed"],
    ["a CRLF needle in a CRLF output", contains("a\r\nb"), "x a\r\nb y", "passed"],
    ["a carriage return where there is none", notContains("\r"), "a\nb", "passed"],
    ["a carriage return where there is one", notContains("\r"), "10 %\r100 %", "failed"],
    ["a start with a carriage return", startsWith("a\r"), "a\nb", "failed"],
    ["an end with a carriage return", endsWith("a\rb"), "x a\nb", "failed"],
    ["half a character", contains("\ud83d"), "\u{1F600}", "failed"],
    ["half a character against a replacement character", contains("\ud83d"), "\uFFFD", "failed"],
    ["no needle", notContains("Error"), "fine", "passed"],
    ["an unwanted needle", notContains("Error"), "Error: no", "failed"],
    ["an unwanted needle in any case", notContains("Error", true), "ERROR: no", "failed"],
    ["an empty unwanted needle", notContains(""), "x", "failed"],

    ["a start", startsWith("# A"), "# A\nb", "passed"],
    ["white space before the start", startsWith("# A"), "\n# A\nb", "failed"],
    ["a start in any case", startsWith("dear", true), "DEAR Ada", "passed"],
    ["a start longer than the output", startsWith("abc"), "ab", "failed"],
    ["a start with characters of four bytes", startsWith("😀😀"), "😀😀!", "passed"],
    ["an end", endsWith("bye."), "hi\nbye.", "passed"],
    ["an end before white space", endsWith("bye."), "hi\nbye. \n\n", "passed"],
    [
      "an end before more white space than one look takes in",
      endsWith("x"),
      `x${" ".repeat(9000)}`,
      "passed",
    ],
    ["the newline that YAML leaves in a block", endsWith("bye.\n"), "hi\nbye.", "passed"],
    ["an end of white space alone", endsWith("\n"), "hi\n", "failed"],
    ["an end in any case", endsWith("BYE", true), "good bye\n", "passed"],
    ["an end that is in the middle", endsWith("hi"), "hi there", "failed"],

    ["a pattern anywhere", regex("v\\d+"), "release v12", "passed"],
    ["a pattern's case", regex("error"), "Error", "failed"],
    ["an inline flag", regex("(?i)error"), "Error", "passed"],
    ["^ at the start alone", regex("^b"), "a\nb", "failed"],
    ["$ before a last newline", regex("b$"), "a\nb\n", "passed"],
    ["a dot and a newline", regex("a.b"), "a\nb", "failed"],
    ["a named group and a reference", regex("(?P<c>.)(?P=c)"), "abba", "passed"],
    ["digits of any script", regex("^\\d$"), "٣", "passed"],
    ["an empty pattern", regex(""), "", "passed"],

    ["the document's own example", minCount("^- ", 3), "- a\n- b\n- c\n", "passed"],
    ["one line too few", minCount("^- ", 3), "- a\n- b\n", "failed"],
    ["line ends of a CRLF output", minCount("a$", 2), "a\r\na\r\n", "passed"],
    ["empty matches, as findall counts them", minCount("", 4), "abc", "passed"],
    ["no more empty matches than that", minCount("", 5), "abc", "failed"],
    ["matches that do not overlap", minCount("aa", 3), "aaaaa", "failed"],
    ["a count of nothing", minCount("x", 0), "abc", "passed"],

    ["a length at its lower bound", minLength(3), "abc", "passed"],
    ["a length below it", minLength(4), "abc", "failed"],
    ["a length at its upper bound", maxLength(3), "abc", "passed"],
    ["a length above it", maxLength(2), "abc", "failed"],
    ["an emoji as one character", maxLength(1), "😀", "passed"],
    ["a letter and its accent as two", minLength(2), "e\u0301", "passed"],
    ["CRLF as one character", maxLength(3), "a\r\nb", "passed"],
    ["a lone CR as one character", maxLength(3), "a\rb", "passed"],
    ["nothing", maxLength(0), "", "passed"],

    ["URLs, not different ones", hasUrls(2), "https://a.b https://a.b", "passed"],
    ["an upper-case scheme", hasUrls(1), "HTTPS://a.b", "failed"],
    ["a URL in a Markdown link", hasUrls(1), "[x](http://x)", "passed"],
    ["a scheme alone", hasUrls(1), "https:// ", "failed"],
    ["no URLs when none are wanted", hasUrls(0), "", "passed"],

    ["entries in bold", hasEntries(2), "**1. A**\n**2. B**", "passed"],
    ["entries with a bold number", hasEntries(2), "**1.** A\n**2.** B", "passed"],
    ["plain entries", hasEntries(2), "1. A\n2. B", "passed"],
    ["entries with brackets, indented", hasEntries(2), "  1) A\n  2) B", "passed"],
    ["an entry after a line separator, which ends no line", hasEntries(1), "x\u20281. A", "failed"],
    ["entries of a CRLF output", hasEntries(2), "1. A\r\n2. B\r\n", "passed"],
    ["bold entries in the middle of a line", hasEntries(1), "see **1. A**", "passed"],
    ["bullets", hasEntries(1), "- A\n* B", "failed"],
    ["headings", hasEntries(1), "### 1. A", "failed"],
    ["numbers in prose", hasEntries(1), "It costs 1.50 or 2. 3) no", "failed"],
    ["a decimal at the start of a line", hasEntries(1), "1.5 miles", "failed"],

    ["a registered format", hasFormat("phone_us", 2), "(408) 298-5437, 408.298.5437", "passed"],
    ["too few of a format", hasFormat("phone_us", 2), "(408) 298-5437", "failed"],
    ["a part of a longer run, as a scan finds it", hasFormat("star_rating"), "10 stars", "passed"],
    ["a format over two lines", hasFormat("phone_us"), "408\r\n298\n5437", "passed"],
    ["an inline pattern", hasFormat("#\\d{4}", 2), "#1234 #5678", "passed"],
    ["an inline pattern for whole lines", hasFormat("^\\d{5}$", 2), "95110\n95111\n", "passed"],
    ["a name's case", hasFormat("PHONE_US"), "(408) 298-5437", "failed"],
  ])("sees %s", async (_what, claim, output, status) => {
    const verdict = await verdictOn(claim, { output });
    expect(verdict).toMatchObject({ status, layer: "L1", checkId: "c1" });
    expect(verdict.evidence).not.toEqual([]);
  });

  it.each<[TextClaim, unknown]>([
    [contains("needle"), [{ kind: "quote", text: "the needle here", source: { kind: "output", line: 2 } }]],
    [
      contains("NEEDLE", true),
      [{ kind: "quote", text: "the needle here", source: { kind: "output", line: 2 } }],
    ],
    [contains("other"), [{ kind: "absence", searched: [{ kind: "output", line: null }] }]],
    [regex("n\\w+"), [{ kind: "quote", text: "ne", source: { kind: "output", line: 1 } }]],
    [regex("q"), [{ kind: "absence", searched: [{ kind: "output", line: null }] }]],
    [
      minCount("ee", 2),
      [
        { kind: "measure", text: "1 found, at least 2 wanted" },
        { kind: "quote", text: "ee", source: { kind: "output", line: 2 } },
      ],
    ],
    [minLength(100), [{ kind: "measure", text: "29 characters, at least 100 wanted" }]],
    [
      endsWith("end"),
      [{ kind: "quote", text: "li ne\nthe needle here\nthe end", source: { kind: "output", line: null } }],
    ],
  ])("%j points at its evidence", async (claim, evidence) => {
    expect((await verdictOn(claim, { output: "li ne\r\nthe needle here\r\nthe end" })).evidence).toEqual(
      evidence,
    );
  });

  it("fails every text check when the declared output file was not written, also what nothing would meet", async () => {
    const claims = [
      contains("a"),
      notContains("a"),
      maxLength(5),
      minLength(0),
      regex(""),
      hasUrls(0),
      endsWith(""),
    ];
    const verdicts = await verdictsOn({ output: null, claims });
    for (const verdict of verdicts) {
      expect(verdict).toMatchObject({
        status: "failed",
        reason: "the run did not write the output file out.md",
      });
      expect(verdict.evidence).toHaveLength(1);
    }
    expect(verdicts).toHaveLength(claims.length);
  });

  it("stops a catastrophic pattern within its deadline and still decides the others", async () => {
    const started = performance.now();
    const claims = [regex("^(a*)*\\1$"), contains("b"), minCount("a", 3), hasFormat("(x*)*y"), regex("b$")];
    const verdicts = await verdictsOn({ output: `${"a".repeat(40)}b`, claims });
    expect(verdicts.map((verdict) => verdict.status)).toEqual([
      "unscored",
      "passed",
      "passed",
      "failed",
      "passed",
    ]);
    expect(verdicts[0]?.reason).toBe("the pattern took longer than 2 s and was stopped");
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it("stops a named format that a hostile output makes slow", async () => {
    const [email, length] = await verdictsOn({
      output: "a".repeat(2_000_000),
      claims: [hasFormat("email"), minLength(2_000_000)],
    });
    expect(email?.status).toBe("unscored");
    expect(length?.status).toBe("passed");
  });

  it("leaves a pattern that cannot be compiled unscored", async () => {
    const verdict = await verdictOn(regex("(?(1)a|b)"), { output: "a" });
    expect(verdict).toMatchObject({ status: "unscored" });
    expect(verdict.reason).toContain("no group 1");
  });

  it("cuts long matches", async () => {
    const [quote] = (await verdictOn(regex("😀+"), { output: "😀".repeat(5000) })).evidence;
    expect(quote?.kind === "quote" ? Array.from(quote.text).length : 0).toBe(200);
  });

  it("decides any claim on any output without breaking", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const claim: fc.Arbitrary<Claim> = fc.oneof(
      fc.record({
        kind: fc.constantFrom("contains", "not_contains", "starts_with", "ends_with"),
        needle: text,
        ignoreCase: fc.boolean(),
      }),
      fc.record({ kind: fc.constantFrom("min_length", "max_length"), length: fc.integer() }),
      fc.record({ kind: fc.constantFrom("has_urls", "has_entries"), count: fc.integer() }),
      fc.record({ kind: fc.constant("regex" as const), pattern: text }),
      fc.record({ kind: fc.constant("min_count" as const), pattern: text, count: fc.integer() }),
      fc.record({ kind: fc.constant("has_format" as const), format: text, count: fc.integer() }),
      fc.record({
        kind: fc.constant("final_json" as const),
        path: text,
        expected: fc.constant({ kind: "present" as const }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, claim, async (output, one) => {
        const verdict = await verdictOn(one, { output });
        expect(verdict.reason).not.toMatch(/broke|could not be decided/);
      }),
      { numRuns: 150 },
    );
  });

  it("finds a needle exactly where the whole text has it", async () => {
    const alphabet = fc.string({
      unit: fc.constantFrom("a", "B", "é", "😀", "\n", "\r", " "),
      maxLength: 30,
    });
    const plain = (text: string) => text.replaceAll(/\r\n?/g, "\n");
    await fc.assert(
      fc.asyncProperty(alphabet, alphabet, fc.boolean(), async (output, needle, ignoreCase) => {
        const seen = needle.includes("\r") ? output : plain(output);
        const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
        const [has, starts, length] = await verdictsOn({
          output,
          claims: [
            contains(needle, ignoreCase),
            startsWith(needle, ignoreCase),
            maxLength(Array.from(plain(output)).length),
          ],
        });
        expect(has?.status).toBe(fold(seen).includes(fold(needle)) ? "passed" : "failed");
        expect(starts?.status).toBe(fold(seen).startsWith(fold(needle)) ? "passed" : "failed");
        expect(length?.status).toBe("passed");
      }),
      { numRuns: 200 },
    );
  });
});
