import { describe, expect, it } from "vitest";
import { said, assertion } from "./fixtures/rules.ts";

const FORMATS =
  "currency_eur, currency_usd, date_iso, date_us, domain, email, hex_color, ipv4, latitude, longitude, percentage, phone_intl, phone_us, star_rating, time_12h, time_24h, url, uuid, zip_uk, zip_us";

function field(rest: Record<string, unknown>): unknown {
  return { sections: [{ name: "S", tiers: [{ label: "t", fields: [{ id: "f", name: "n", ...rest }] }] }] };
}

describe("formats", () => {
  it.each<[unknown, readonly string[]]>([
    [field({ format: "phone_us" }), []],
    [field({ format: null }), []],
    [field({ format: "^\\d{5}$" }), []],
    [field({ format: "" }), ["error: sections[0].tiers[0].fields[0].format must not be blank"]],
    [
      field({ format: 5 }),
      ["error: sections[0].tiers[0].fields[0].format must be a string, not the number 5"],
    ],
    [
      field({ format: "phone_uss" }),
      [
        'note: sections[0].tiers[0].fields[0].format is not a registered format, so "phone_uss" is used as a regular expression (did you mean "phone_us"?)',
      ],
    ],
    [
      field({ format: "Phone-US" }),
      [
        'note: sections[0].tiers[0].fields[0].format is not a registered format, so "Phone-US" is used as a regular expression (did you mean "phone_us"?)',
      ],
    ],
    [
      field({ format: "telephone" }),
      [
        `note: sections[0].tiers[0].fields[0].format is not a registered format, so "telephone" is used as a regular expression (registered: ${FORMATS})`,
      ],
    ],
    [
      field({ format: "\\d{5(" }),
      [
        "error: sections[0].tiers[0].fields[0].format is not a regular expression: a ( is never closed (at character 5 of the pattern; Python syntax is expected)",
      ],
    ],
    [
      assertion({ type: "has_format", format: "emial" }),
      [
        'note: assertions[0].format is not a registered format, so "emial" is used as a regular expression (did you mean "email"?)',
      ],
    ],
    [
      field({ pattern: "\\d+" }),
      [
        'error: sections[0].tiers[0].fields[0] has the unknown key "pattern" (did you mean "format"? It takes a regular expression too)',
      ],
    ],
    [
      field({ required: "yes" }),
      ['error: sections[0].tiers[0].fields[0].required must be true or false, not the string "yes"'],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});

describe("sections and criteria", () => {
  it.each<[unknown, readonly string[]]>([
    [{ sections: [{ name: "S" }] }, ['error: sections[0] has no "tiers", which is required']],
    [{ sections: [{ tiers: [] }] }, ['error: sections[0] has no "name", which is required']],
    [
      { sections: [{ name: "S", tiers: [{}] }] },
      ['error: sections[0].tiers[0] has no "label", which is required'],
    ],
    [{ sections: ["S"] }, ['error: sections[0] must be an object, not the string "S"']],
    [
      { sections: [{ name: "S", min_entries: 2, fields: [{ name: "n" }] }] },
      [
        'error: sections[0].fields[0] has no "id", which is required',
        'error: sections[0] has its fields outside of tiers (write "tiers": [{"label": "default", "fields": [...]}], with min_entries inside the tier)',
      ],
    ],
    [
      { grading_criteria: ["Are all venues within the distance?"] },
      [
        'error: grading_criteria[0] must be an object, not a string (write {"id": "venues_within_distance", "criterion": "Are all venues within the distance?"})',
      ],
    ],
    [
      { grading_criteria: [{ id: "c" }] },
      ['error: grading_criteria[0] has no "criterion", which is required'],
    ],
    [
      { grading_criteria: [{ id: "c", criterion: " " }] },
      ["error: grading_criteria[0].criterion must not be blank"],
    ],
    [
      { grading_criteria: [{ criterion: "x" }] },
      ['error: grading_criteria[0] has no "id", which is required'],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});
