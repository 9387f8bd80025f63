import { expect, it } from "vitest";
import { printable } from "./printable.ts";

it.each([
  ["plain ü 漢 😀\tand\nlines", "plain ü 漢 😀\tand\nlines"],
  ["\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
  ["title\u001b]0;x\u0007", "title\\u001b]0;x\\u0007"],
  ["over\rwrite\u0008", "over\\u000dwrite\\u0008"],
  ["evil\u202etxt.exe", "evil\\u202etxt.exe"],
  ["c1\u009b2J", "c1\\u009b2J"],
  ["::error::a\n\t ::b::c::d\nstd::e", "\\u003a:error::a\n\t \\u003a:b::c::d\nstd::e"],
  ["\u00a0::error::a\n\u3000::b", "\u00a0\\u003a:error::a\n\u3000\\u003a:b"],
  [
    "ok ##[error]a ##vso[task.setvariable]b ## [c]",
    "ok \\u0023#[error]a \\u0023#vso[task.setvariable]b ## [c]",
  ],
])("makes %j inert", (text, expected) => {
  expect(printable(text)).toBe(expected);
});
