import { Readable, type Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASKED, secretMask } from "./secret-mask.ts";

/** Not real: made of the alphabet, in the shapes that the services document. */
const ABC = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const PEM_LINES = Array.from({ length: 12 }, (_, i) => (ABC + ABC).slice(i, i + 64));
const PEM = ["-----BEGIN RSA PRIVATE KEY-----", ...PEM_LINES, "-----END RSA PRIVATE KEY-----"].join("\n");
const TOKENS: Record<string, string> = {
  anthropic: `sk-ant-api03-${ABC}-_${ABC.slice(0, 20)}AA`,
  openai: `sk-${ABC.slice(0, 48)}`,
  "openai project": `sk-proj-${ABC}_${ABC.slice(0, 9)}`,
  "github personal": `ghp_${ABC.slice(0, 36)}`,
  "github oauth": `gho_${ABC.slice(0, 36)}`,
  "github server": `ghs_${ABC.slice(0, 36)}`,
  "github fine-grained": `github_pat_${ABC.slice(0, 22)}_${ABC.slice(0, 59)}`,
  "aws key": "AKIAIOSFODNN7EXAMPLE",
  "aws session": "ASIAIOSFODNN7EXAMPLE",
  slack: `xoxb-123456789012-1234567890123-${ABC.slice(0, 24)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${ABC.slice(0, 43)}`,
  google: `AIza${ABC.slice(0, 33)}-_`,
  gitlab: `glpat-${ABC.slice(0, 20)}`,
  npm: `npm_${ABC.slice(0, 36)}`,
  pem: PEM,
  "pem in JSON": JSON.stringify(PEM).slice(1, -1),
  "pem in JSON in JSON": JSON.stringify(JSON.stringify(PEM).slice(1, -1)).slice(1, -1),
};

const plain = secretMask([]);

describe("token shapes", () => {
  it.each(Object.entries(TOKENS))("masks %s whole, wherever it stands", (_, token) => {
    for (const [before, after] of [
      ["", ""],
      ["key=", "\n"],
      ['{"k":"', '"}'],
      ["(", ")."],
      ["é", "é"],
      ["key:\\n", "\\n"],
      ["a%3D", "&b"],
      ["\u001b[31m", "\u001b[0m"],
      ["\\u001b[1;31m", " "],
    ]) {
      expect(plain.text(before + token + after)).toBe(before! + MASKED + (after === ")." ? ")." : after));
    }
  });

  it.each([
    [`Authorization: Bearer ${ABC}`, `Authorization: Bearer ${MASKED}`],
    [`"authorization":"bearer ${ABC}"`, `"authorization":"bearer ${MASKED}"`],
    ["Authorization: Basic dXNlcjpwYXNzd29yZA==", `Authorization: Basic ${MASKED}`],
    [`aws_secret_access_key = ${ABC.slice(0, 40)}`, `aws_secret_access_key = ${MASKED}`],
    [`AWS_SECRET_ACCESS_KEY="${ABC.slice(0, 40)}"`, `AWS_SECRET_ACCESS_KEY="${MASKED}"`],
  ])("keeps what precedes the secret in %s", (text, masked) => {
    expect(plain.text(text)).toBe(masked);
  });

  it("masks a private key that was cut off", () => {
    const cut = PEM.slice(0, 500);
    expect(plain.text(`before ${cut}`)).toBe(`before ${MASKED}`);
    expect(plain.text(`${cut}\n\nand then prose goes on.`)).toBe(`${MASKED}\n\nand then prose goes on.`);
  });

  it.each([
    "primary_key and foreign_key, api_key = os.environ['API_KEY']",
    "npm_config_registry npm_package_json npm_lifecycle_script_with_a_very_long_name_indeed",
    "task-force risk-assessment-framework-2024 disk-0123456789abcdefghij0123456789",
    "sk-learn and sk-image are libraries; sk-model-selection-cross-validation",
    "a bearer of good news; Bearer authentication-is-required; bearer token-based-authentication",
    "AKIA is a prefix; AKIAS; BAKIAIOSFODNN7EXAMPLE1",
    "eyJ is how JSON begins in base64; eyJhbGciOiJIUzI1NiJ9 alone is a header",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "commit 6dfcd28a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e",
    "xox- ghp_ github_pat_ glpat- AIza",
  ])("leaves %s alone", (text) => {
    expect(plain.text(text)).toBe(text);
  });
});

describe("known values", () => {
  const SECRET = 'pa"ss/wörd+\\1%&\t~*x';
  const mask = secretMask([SECRET]);

  it.each([
    ["as it is", SECRET],
    ["in JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1)],
    ["in ASCII JSON", JSON.stringify(SECRET).slice(1, -1).replace("ö", "\\u00f6")],
    ["in JSON with escaped slashes", JSON.stringify(SECRET).slice(1, -1).replace("/", "\\/")],
    ["in a URL", encodeURIComponent(SECRET)],
    ["in the path of a URL", encodeURIComponent(SECRET).replaceAll("%2F", "/")],
    [
      "in a URL, each character",
      Array.from(Buffer.from(SECRET), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    ],
    [
      "in a URL with small digits",
      encodeURIComponent(SECRET).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ["in a form", new URLSearchParams({ v: SECRET }).toString().slice(2)],
  ])("are masked %s", (_, form) => {
    expect(mask.text(`<${form}>`)).toBe(`<${MASKED}>`);
  });

  it("are masked in base64 at every alignment, in both alphabets", () => {
    for (const before of ["", "u", "us", "user:"]) {
      for (const after of ["", "!", "!!"]) {
        for (const alphabet of ["base64", "base64url"] as const) {
          const encoded = Buffer.from(before + SECRET + after).toString(alphabet);
          const masked = mask.text(encoded);
          expect(masked).toContain(MASKED);
          const left = masked.split(MASKED).join("").replaceAll("=", "").length;
          const carriesOnlyNeighbours = Math.ceil(((before.length + after.length) * 8) / 6) + 3;
          expect(left).toBeLessThanOrEqual(carriesOnlyNeighbours);
        }
      }
    }
  });

  describe("are masked where line ends cut them", () => {
    const KEY = "Kq7Zr2mW9xTb4LsV8nYd-uE3_Kq7Zr2mW9xTb4LsV8nYd";
    const wrapped = secretMask([KEY]);
    const SPELLINGS = {
      base64: (text: string) => Buffer.from(text).toString("base64"),
      hex: (text: string) => Buffer.from(text).toString("hex"),
      plain: (text: string) => text,
    };
    const BREAKS = {
      LF: "\n",
      CRLF: "\r\n",
      JSON: "\\n",
      "JSON, CRLF": "\\r\\n",
      "JSON in JSON": "\\\\n",
      YAML: "\n    ",
    };
    const cases = Object.entries(SPELLINGS).flatMap(([spelling, spell]) =>
      Object.entries(BREAKS).map(([name, lineEnd]) => [spelling, name, spell, lineEnd] as const),
    );

    it.each(cases)("%s, %s, at every place and column", async (_, __, spell, lineEnd) => {
      for (const columns of [20, 60, 64, 76])
        for (let shift = 0; shift < columns; shift++) {
          const filler = "x".repeat(shift);
          const lines =
            spell(`${filler}${KEY}${"y".repeat(50)}`).match(new RegExp(`.{1,${columns}}`, "g")) ?? [];
          const text = `begin ${lines.join(lineEnd)} end`;
          const masked = wrapped.text(text);
          expect(masked).toContain(MASKED);
          expect(leftOf(KEY, masked.replaceAll(lineEnd, ""), spell)).toBe(false);
          expect(wrapped.bytes(text)).toBe(masked);
          expect(await through(wrapped.stream(), [Buffer.from(text)])).toBe(masked);
        }
    });

    it("the same however a stream is cut", async () => {
      const block = (
        Buffer.from(`${"filler".repeat(9)}${KEY}`.repeat(60))
          .toString("base64")
          .match(/.{1,76}/g) ?? []
      ).join("\r\n");
      const bytes = Buffer.from(`MIME\r\n\r\n${block}\r\n--end`);
      const expected = wrapped.text(bytes.toString("latin1"));
      expect(expected.split(MASKED)).toHaveLength(61);
      for (const size of [1, 7, 77, 78, 79, 1000, 4096]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        expect(await through(wrapped.stream(), chunks)).toBe(expected);
      }
    });

    it("and nothing else changes", () => {
      const text = `first\nsecond\r\nC:\\new\\name\n${"QUJD".repeat(19)}\n${"QUJD".repeat(19)}\n`;
      expect(wrapped.text(text)).toBe(text);
    });
  });

  it("are masked line by line when they have several lines", () => {
    const indented = PEM.split("\n")
      .map((line) => `    ${line}\r`)
      .join("\n");
    const masked = secretMask([PEM]).text(indented);
    for (const line of PEM_LINES) expect(masked).not.toContain(line);
  });

  it("are left alone when too short to tell from text", () => {
    expect(secretMask(["test", "", "   \n      "]).text("a test      of things")).toBe(
      "a test      of things",
    );
  });

  it("are literal, whatever characters they have", () => {
    expect(secretMask(["a.*b(c)[d]|e"]).text("aXXb(c)[d]|e a.*b(c)[d]|e")).toBe(`aXXb(c)[d]|e ${MASKED}`);
  });

  it("are masked the longest first", () => {
    expect(secretMask(["password", "password-and-more"]).text("password-and-more password")).toBe(
      `${MASKED} ${MASKED}`,
    );
  });

  it("never survive in any spelling (property)", () => {
    const secret = fc
      .string({ minLength: 12, maxLength: 60, unit: "grapheme" })
      .filter((s) => s.trim().length >= 12);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const masked = secretMask([value]).text(JSON.stringify({ before, value, after }));
        expect(masked).not.toContain(JSON.stringify(value).slice(1, -1));
      }),
    );
  });
});

it("masks JSON without changing its shape", () => {
  const value = {
    a: [TOKENS["npm"]!, 1, null, true],
    [`k ${TOKENS["slack"]}`]: { deep: `x ${TOKENS["aws key"]}` },
  };
  expect(plain.json(value)).toEqual({ a: [MASKED, 1, null, true], [`k ${MASKED}`]: { deep: `x ${MASKED}` } });
});

it("changes nothing the second time (property)", () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...Object.values(TOKENS)), fc.string()), { maxLength: 8 });
  fc.assert(
    fc.property(pieces, (parts) => {
      const once = plain.text(parts.join(" "));
      expect(plain.text(once)).toBe(once);
    }),
  );
});

describe("stream", () => {
  const CANARY = "canary-Ω-7f3a9c21e5";
  const mask = secretMask([CANARY]);

  it("finds a canary cut at every byte", async () => {
    const bytes = Buffer.from(`before ${CANARY} after`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await through(mask.stream(), [bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(
        `before ${MASKED} after`,
      );
    }
  });

  it("finds a canary that straddles the edge of every window it lets go", async () => {
    const filler = Buffer.alloc(70_000, "x");
    for (let shift = 0; shift < 40; shift++) {
      const parts = [
        filler.subarray(shift),
        Buffer.from(CANARY),
        filler,
        Buffer.from(CANARY),
        filler.subarray(shift),
      ];
      const whole = Buffer.concat(parts);
      const chunks = Array.from({ length: Math.ceil(whole.length / 16_384) }, (_, i) =>
        whole.subarray(i * 16_384, (i + 1) * 16_384),
      );
      const out = await through(mask.stream(), chunks);
      expect(out.split(MASKED).length).toBe(3);
      expect(out).not.toContain("canary");
    }
  });

  it("gives the same as the undivided text however it is cut (property)", async () => {
    const piece = fc.oneof(
      fc.constantFrom(...Object.values(TOKENS), CANARY, `Bearer ${ABC}`, "x".repeat(20_000)),
      fc.string({ maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12, size: "max" }),
        fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 20 }),
        async (pieces, sizes) => {
          const whole = pieces.join("|");
          const bytes = Buffer.from(whole);
          const chunks: Buffer[] = [];
          let at = 0;
          for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)));
          chunks.push(bytes.subarray(at));
          expect(await through(mask.stream(), chunks)).toBe(mask.text(whole));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("passes bytes that are no UTF-8 unchanged", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0xe2, 0x82, ...Buffer.from(CANARY), 0xfe]);
    const out = await buffer(Readable.from([bytes]).pipe(mask.stream()));
    expect(out).toEqual(Buffer.from([0xff, 0x00, 0xc3, 0x28, 0xe2, 0x82, ...Buffer.from(MASKED), 0xfe]));
  });

  it("holds back a bounded window of an endless line", async () => {
    const stream = mask.stream();
    let out = 0;
    stream.on("data", (chunk: Buffer) => (out += chunk.length));
    const chunk = Buffer.alloc(65_536, "a");
    let held = 0;
    for (let i = 0; i < 200; i++) {
      if (!stream.write(chunk)) await new Promise((resolve) => stream.once("drain", resolve));
      held = Math.max(held, (i + 1) * chunk.length - out);
    }
    stream.end();
    expect(held).toBeLessThan(512 * 1024);
  });
});

/** Whether half of a value is left in some alignment. */
function leftOf(value: string, text: string, spell: (text: string) => string): boolean {
  const half = value.slice(10, 10 + value.length / 2);
  return [0, 1, 2].some((shift) => text.includes(spell("x".repeat(shift) + half).slice(4, -4)));
}

async function through(stream: Transform, chunks: readonly Buffer[]): Promise<string> {
  return (await buffer(Readable.from(chunks).pipe(stream))).toString("utf8");
}
