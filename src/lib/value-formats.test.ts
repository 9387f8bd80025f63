import { describe, expect, it } from "vitest";
import { cpuMsSince } from "../../test/support/cpu-time.ts";
import { formatNames, valueFormat, type ValueFormatName } from "./value-formats.ts";

interface Examples {
  readonly accepts: readonly string[];
  readonly rejects: readonly string[];
  /** Text to what a scan finds in it. */
  readonly scans: Readonly<Record<string, readonly string[]>>;
}

const EXAMPLES: Readonly<Record<ValueFormatName, Examples>> = {
  phone_us: {
    accepts: [
      "(408) 298-5437",
      "4082985437",
      "408.298.5437",
      "(4082985437",
      "408\n298\n5437",
      "408\u00a0298-5437",
    ],
    rejects: ["1-408-298-5437", "+1 408 298 5437", "408--298-5437", "408\ufeff2985437", "4082985437\n"],
    scans: {
      "id 123456789012": ["1234567890"],
      "call (408) 298-5437 or 408.298.5438": ["(408) 298-5437", "408.298.5438"],
    },
  },
  phone_intl: {
    accepts: ["+44 7911123456", "+1-4082985437", "+4 1234"],
    rejects: ["+44 20 7946 0958", "+1 (408) 298-5437", "44 7911123456", "+44  7911123456"],
    scans: { "+44 20 7946 0958": [], "+49.3012345": ["+49.3012345"] },
  },
  email: {
    accepts: ["a.b+c%d-e@x-y.co.uk", "a@b..com", "u@-x-.com"],
    rejects: ["user@example", "ü@example.com", "a@b_c.com", "a@b.c"],
    scans: { "mail me@x.org.": ["me@x.org"] },
  },
  url: {
    accepts: ["http://x", "https://a.b", "https://a.b,"],
    rejects: ["HTTP://x.com", "ftp://x.com", "https://a.b/(c)", 'https://a.b/"', "https://a b", "https://"],
    scans: { "[a](https://a.b/c) and https://d.e/f)": ["https://a.b/c", "https://d.e/f"] },
  },
  domain: {
    accepts: ["example.com", "EXAMPLE.COM", "a-b.io", "sub.example.co.uk", "\u212aelvin.com"],
    rejects: [
      "192.168.1.1",
      "localhost",
      "https://example.com",
      "example.com/path",
      "example.com.",
      "x.xn--p1ai",
      "-a.com",
    ],
    scans: { "https://www.example.com/x or me@mail.org": ["www.example.com", "mail.org"] },
  },
  date_iso: {
    accepts: ["2026-04-10", "2026-13-45", "٢٠٢٦-٠٤-١٠"],
    rejects: ["2026-4-1", "2026-04-10T00:00", "2026/04/10"],
    scans: { "on 2026-04-10T00:00": ["2026-04-10"] },
  },
  date_us: {
    accepts: ["4/10/2026", "04/10/26", "99/99/999"],
    rejects: ["4-10-2026", "4/10/2", "4/10/20261"],
    scans: { "4/10/2026 to 5/1/26": ["4/10/2026", "5/1/26"] },
  },
  time_24h: {
    accepts: ["4:30", "99:99", "24:00", "14:30:00"],
    rejects: ["14:3", "14", "14:30 "],
    scans: { "at 2:30 PM": ["2:30"] },
  },
  time_12h: {
    accepts: ["2:30pm", "2:30 PM", "14:30 PM", "02:30aM"],
    rejects: ["2 PM", "2:30 P.M.", "2:30  PM"],
    scans: { "2:30 PM-4:00pm": ["2:30 PM", "4:00pm"] },
  },
  currency_usd: {
    accepts: ["$50", "$1,234.56", "$1,2,3", "$,5"],
    rejects: ["$ 50", "$1,234.5", "$5.", "-$5", "$,"],
    scans: { "costs $1.2345": ["$1.23"], "$5. or -$6": ["$5", "$6"] },
  },
  currency_eur: {
    accepts: ["€1.234,56", "€5.", "€50"],
    rejects: ["50€", "€ 50", "€..."],
    scans: { "€5, €6": ["€5,", "€6"] },
  },
  zip_us: {
    accepts: ["95110", "95110-1234"],
    rejects: ["951101", "95110 1234", "9511"],
    scans: { "951101234567": ["95110", "12345"], "95110-1234": ["95110-1234"] },
  },
  zip_uk: {
    accepts: ["SW1A 1AA", "SW1A1AA", "M1 1AE"],
    rejects: ["sw1a 1aa", "GIR 0AA", "SW1A  1AA"],
    scans: { "at SW1A 1AA, London": ["SW1A 1AA"] },
  },
  percentage: {
    accepts: ["95%", "99.9%", "1000%"],
    rejects: ["95 %", "-5%", ".5%", "95"],
    scans: { "-5% .5%": ["5%", "5%"] },
  },
  ipv4: {
    accepts: ["192.168.1.1", "999.999.999.999", "01.02.03.04"],
    rejects: ["1.2.3", "1.2.3.4.", "1234.1.1.1"],
    scans: { "from 10.0.0.1:80": ["10.0.0.1"] },
  },
  uuid: {
    accepts: ["00000000-0000-0000-0000-000000000000", "550e8400-E29B-41d4-a716-446655440000"],
    rejects: [
      "{550e8400-e29b-41d4-a716-446655440000}",
      "550e8400e29b41d4a716446655440000",
      "g50e8400-e29b-41d4-a716-446655440000",
    ],
    scans: { "{550e8400-e29b-41d4-a716-446655440000}": ["550e8400-e29b-41d4-a716-446655440000"] },
  },
  hex_color: {
    accepts: ["#ff5733", "#FF5733"],
    rejects: ["#FFF", "#ff57333", "ff5733"],
    scans: { "#ff57333": ["#ff5733"] },
  },
  latitude: {
    accepts: ["37.3382", "-37.3", "99.9"],
    rejects: ["37", "137.3", "+37.3"],
    scans: { "137.3": ["37.3"] },
  },
  longitude: {
    accepts: ["-121.8863", "999.9"],
    rejects: ["-121", "1121.8"],
    scans: { "1121.8": ["121.8"] },
  },
  star_rating: {
    accepts: ["4.5 stars", "5⭐", "3 ★", "0stars", "1 star"],
    rejects: ["4.5 Stars", "10 stars", "4.5/5", "4.5  stars"],
    scans: { "10 stars": ["0 stars"], "4.5 stars, 5⭐": ["4.5 stars", "5⭐"] },
  },
};

const cases = formatNames.map((name) => [name, EXAMPLES[name]] as const);

function scan(name: string, text: string): readonly string[] | undefined {
  return valueFormat(name)?.scan(text);
}

describe("valueFormat", () => {
  it("knows twenty formats, in order", () => {
    expect(formatNames).toEqual(Object.keys(EXAMPLES).toSorted());
    expect(formatNames).toHaveLength(20);
  });

  it.each(cases)("%s accepts as a whole", (name, { accepts }) => {
    expect(accepts.filter((value) => valueFormat(name)?.matches(value) !== true)).toEqual([]);
  });

  it.each(cases)("%s rejects as a whole", (name, { rejects }) => {
    expect(rejects.filter((value) => valueFormat(name)?.matches(value) !== false)).toEqual([]);
  });

  it.each(cases)("%s is found in longer text", (name, { scans }) => {
    const found = Object.keys(scans).map((text) => [text, scan(name, text)]);
    expect(Object.fromEntries(found)).toEqual(scans);
  });

  it.each(["", "Email", "phone", "constructor", "__proto__"])("has no format %j", (name) => {
    expect(valueFormat(name)).toBeNull();
  });

  it("stays fast on long runs that nearly match", () => {
    const started = process.cpuUsage();
    for (const name of formatNames)
      scan(name, `${"a-".repeat(1500)} ${"1,".repeat(1500)} ${"a.".repeat(1500)}`);
    expect(cpuMsSince(started)).toBeLessThan(5000);
  });
});
