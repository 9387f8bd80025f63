import { expect, it } from "vitest";
import { aCase } from "../../../test/support/cases.ts";
import { aVerdict } from "../../../test/support/runs.ts";
import type { Check } from "../../domain/check.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { extractionFile } from "./extraction-file.ts";

const HEAD = { skillName: "find", transport: "api", provider: "anthropic", harness: "claude-code" } as const;
const head = {
  layer: "L2",
  text: "",
  appliesTo: "every-variant",
  origin: null,
  section: "Venues",
  tier: "default",
} as const;
const field = (id: string, required: boolean, format: string | null): Check => ({
  ...head,
  id,
  kind: "field",
  field: { id, name: id, required, format, extras: {} },
});
const CHECKS: readonly Check[] = [
  { ...head, id: "entries:Venues/default", kind: "entries", min: 3, max: null },
  field("name", true, null),
  field("phone", false, "phone_us"),
  field("unused", true, null),
];

it("has clauditor's shape, every declared field, and what clauditor leaves out", () => {
  const file = extractionFile(
    HEAD,
    aCase({ checks: CHECKS }),
    {
      model: "m",
      sections: {
        Venues: {
          default: [
            { name: 0, phone: "12" },
            { name: null, phone: null },
          ],
        },
      },
      problems: [],
      usage: { ...UNKNOWN_USAGE, inputTokens: 7, outputTokens: 3 },
    },
    [
      aVerdict({ checkId: "entries:Venues/default", status: "failed" }),
      aVerdict({ checkId: "name", entry: 0 }),
      aVerdict({ checkId: "name", entry: 1, status: "failed", reason: "missing" }),
      aVerdict({ checkId: "phone", entry: 0, status: "failed" }),
      aVerdict({ checkId: "phone", entry: 1 }),
    ],
  );
  const place = { section: "Venues", tier: "default" };
  expect(file).toMatchObject({
    schema_version: 5,
    skill_name: "find",
    model: "m",
    transport_source: "api",
    provider_source: "anthropic",
    harness: "claude-code",
    input_tokens: 7,
    output_tokens: 3,
    reasoning_tokens: null,
    parse_errors: [],
    entries: [
      {
        id: "entries:Venues/default",
        ...place,
        count: 2,
        min: 3,
        max: null,
        passed: false,
        status: "failed",
      },
    ],
    raw: {
      Venues: {
        default: [
          { name: 0, phone: "12" },
          { name: null, phone: null },
        ],
      },
    },
  });
  expect(Object.keys(file)[0]).toBe("schema_version");
  expect(file["fields"]).toMatchObject({
    name: [
      {
        field_name: "name",
        ...place,
        entry_index: 0,
        required: true,
        passed: true,
        presence_passed: true,
        format_passed: null,
        evidence: "0",
        value: 0,
      },
      {
        entry_index: 1,
        passed: false,
        presence_passed: false,
        format_passed: null,
        evidence: "",
        value: null,
        reason: "missing",
      },
    ],
    phone: [
      {
        entry_index: 0,
        required: false,
        passed: false,
        presence_passed: true,
        format_passed: false,
        evidence: "12",
      },
      {
        entry_index: 1,
        required: false,
        passed: true,
        presence_passed: true,
        format_passed: null,
        evidence: "",
      },
    ],
    unused: [],
  });
});

it("says why there is nothing in it", () => {
  const extraction = { model: "m", sections: {}, problems: ["the reply is empty"], usage: UNKNOWN_USAGE };
  const verdicts = CHECKS.map(({ id }) => aVerdict({ checkId: id, status: "unscored", evidence: [] }));
  const file = extractionFile(HEAD, aCase({ checks: CHECKS }), extraction, verdicts);
  expect(file).toMatchObject({
    parse_errors: ["the reply is empty"],
    fields: { name: [], phone: [], unused: [] },
    entries: [{ count: null, passed: false, status: "unscored" }],
  });
});
