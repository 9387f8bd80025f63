import fc from "fast-check";
import { expect, it } from "vitest";
import { cpuMsSince } from "../../test/support/cpu-time.ts";
import { lastJson } from "./last-json.ts";

const found = (value: unknown) => ({ status: "found", value }) as const;

it.each<[string, object]>([
  ["", { status: "none" }],
  ["no {json} here [x", { status: "none" }],
  ['{"a": 1}', found({ a: 1 })],
  ['first {"a": 1}, then [1, 2] end', found([1, 2])],
  ['{"text": "with } and ] and \\" inside"}', found({ text: 'with } and ] and " inside' })],
  ['{not json} {"a": 1} {"b": ', found({ a: 1 })],
  ['an [unclosed {"a": [1]}', found({ a: [1] })],
  ['```json\n{"a": 1}\n```\n[2]', found({ a: 1 })],
  ['~~~json\n{"a": 1}\n~~~', found({ a: 1 })],
  ['  ```json\r\n{"a": 1}\r\n  ```\r\n', found({ a: 1 })],
  ['````json\n{"a": "```"}\n````', found({ a: "```" })],
  ['```json\n{"a": 1}', found({ a: 1 })],
  ['```JSON\n"text"\n```', found("text")],
  ['```sh\nls\n```\n{"a": 1}', found({ a: 1 })],
  ["```json\n{a: 1}\n```", { status: "broken", source: "{a: 1}" }],
])("in %j", (text, expected) => {
  expect(lastJson(text)).toMatchObject(expected);
});

it("finds any object in prose", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const source = JSON.stringify(value);
      expect(lastJson(`See: ${source}.`)).toMatchObject({ status: "found", source });
    }),
  );
});

it("does not take for ever on brackets without end", () => {
  const started = process.cpuUsage();
  expect(lastJson("[".repeat(1_000_000))).toEqual({ status: "none" });
  expect(lastJson('{"a":['.repeat(200_000))).toEqual({ status: "none" });
  expect(cpuMsSince(started)).toBeLessThan(5000);
});
