import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { xmlText } from "./xml-text.ts";

describe("text for XML", () => {
  it.each([
    ["a < b & c > d", "a &lt; b &amp; c &gt; d"],
    [`"double" and 'single'`, "&quot;double&quot; and &apos;single&apos;"],
    ["two\nlines\tand a tab", "two&#10;lines&#9;and a tab"],
    ["\u001b[31mred\u0000\u0008", "[31mred"],
    ["lone \ud800 half", "lone  half"],
    ["whole 😀 pair", "whole 😀 pair"],
    ["no \ufffe\uffff characters", "no  characters"],
    ["]]>", "]]&gt;"],
    ["evil\u202etxt.exe", "evil&#8238;txt.exe"],
  ])("%j becomes %j", (text, xml) => {
    expect(xmlText(text)).toBe(xml);
  });

  it("never holds what XML forbids or would take for markup", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(xmlText(text)).not.toMatch(/[<>"']|&(?!(?:lt|gt|amp|quot|apos|#\d+);)/);
        expect(xmlText(text)).not.toMatch(/[^\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
      }),
    );
  });
});
