import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { zip } from "../../src/lib/zip.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, RUN, type Step } from "../support/project.ts";

/** Not real, and of no shape that could be told without knowing it. */
const KEY = "Kq7Zr2mW9xTb4LsV8nYd/+uE3";
const hex = Buffer.from(KEY).toString("hex");
const shifted = [0, 1, 2].map((shift) => Buffer.from("ab".slice(0, shift) + KEY).toString("base64"));
const wide = Buffer.from(KEY, "utf16le");

const FORMS: Readonly<Record<string, Buffer>> = {
  plain: Buffer.from(KEY),
  "base64 alone": Buffer.from(shifted[0] ?? ""),
  "base64 one in": Buffer.from((shifted[1] ?? "").slice(2, -4)),
  "base64 two in": Buffer.from((shifted[2] ?? "").slice(4, -4)),
  url: Buffer.from(encodeURIComponent(KEY)),
  json: Buffer.from(JSON.stringify(KEY).replaceAll("/", "\\/").slice(1, -1)),
  hex: Buffer.from(hex),
  "capital hex": Buffer.from(hex.toUpperCase()),
  backwards: Buffer.from(Array.from(KEY).toReversed().join("")),
  "wide, little end first": wide,
  "wide, big end first": Buffer.from(wide).swap16(),
};

/** As MIME wraps it: 76 columns, CRLF. */
const mime = (
  Buffer.from(`${"filler ".repeat(7)}${KEY}`.repeat(20))
    .toString("base64")
    .match(/.{1,76}/g) ?? []
).join("\r\n");
/** "nothing", packed by xz: what it holds cannot be seen. */
const XZ = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHbm90aGluZwoAv34KkxXTy68AASAIuxnZux+2830BAAAAAARZWg==";

const archive = zip([
  { name: "inner.txt", content: Buffer.from(`key ${KEY}\n`.repeat(50)), executable: false },
]);
const FILES: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(
    // Of base64 inside longer text, the middle alone is looked for, and the whole is written below.
    Object.entries(FORMS)
      .filter(([name]) => !name.endsWith(" in"))
      .map(([name, form], index) => [
        `form-${index}.bin`,
        Buffer.concat([Buffer.from(`${name}: `), form, Buffer.from(" end\n")]),
      ]),
  ),
  "base64-one.txt": Buffer.from(shifted[1] ?? ""),
  "base64-two.txt": Buffer.from(shifted[2] ?? ""),
  "packed.zip": archive,
  "packed.txt.gz": gzipSync(`key ${KEY}\n`.repeat(50)),
  "twice.zip": zip([{ name: "packed.zip", content: archive, executable: false }]),
  "mime.eml": Buffer.from(`Content-Transfer-Encoding: base64\r\n\r\n${mime}\r\n`),
  "big.eml": Buffer.from(`${"filler\n".repeat(60_000)}${mime}\n`),
  "closed.tar.xz": Buffer.from(XZ, "base64"),
  "holds-closed.zip": zip([{ name: "a.xz", content: Buffer.from(XZ, "base64"), executable: false }]),
  "clean.zip": zip([{ name: "inner.txt", content: Buffer.from("nothing here\n"), executable: false }]),
  "big.txt": Buffer.from(`${"filler\n".repeat(60_000)}${KEY}\n`),
  "big.txt.masked": Buffer.from("the agent's own\n"),
};

/** The script must not be what is found, so it holds the bytes in a spelling of its own. */
function written(path: string, bytes: Buffer): Step {
  const text = gzipSync(bytes).toString("base64");
  return { write: { path: `${path}.tmp64`, content: text } };
}

const unpackAll =
  'for f in *.tmp64; do base64 -d "$f" | gunzip > "${f%.tmp64}"; rm "$f"; done; ' +
  'name=$(cat form-0.bin | cut -d" " -f2 | tr / _); : > "named-$name.txt"; ' +
  'k=$(cut -d\' \' -f2 form-0.bin); printf %.10s "$k" > split.txt; printf %s "${k#??????????}" >> split.txt; ' +
  "cp split.txt suid.sh; chmod 4755 suid.sh";

it(
  "no file that is written holds a key in any spelling, or it is withheld and that is said",
  { timeout: 120_000 },
  async () => {
    const key = KEY.replaceAll("/", "_");
    const steps: Step[] = [
      { skill: "greeter" },
      ...Object.entries(FILES).map(([path, bytes]) => written(path, bytes)),
      { bash: unpackAll },
      { text: `Hello Ada, ${KEY} and ${hex}` },
    ];
    await using tree = await greeterProject([{ steps }], {});
    const env = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: key, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    await assay([...RUN, "--no-grade"], { cwd: tree.root, env });
    const root = tree.path(".assay");
    const found = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((path) =>
      hitsIn(root, path),
    );
    expect(found).toEqual([]);
    const run = join(root, "greeter/iteration-1/eval-1/with_skill/run-1");
    const outputs = readdirSync(join(run, "outputs"));
    expect(outputs).toEqual(
      expect.arrayContaining(["clean.zip", "big.txt", "big.txt.masked", "suid.sh", "mime.eml"]),
    );
    expect(outputs).not.toEqual(expect.arrayContaining(["packed.zip"]));
    expect(readFileSync(join(run, "outputs/big.txt.masked"), "utf8")).toBe("the agent's own\n");
    expect(lstatSync(join(run, "outputs/suid.sh")).mode & 0o7000).toBe(0);
    expect(outputs.filter((name) => name.endsWith(".tmp"))).toEqual([]);
    const { out } = await assay(["show", "greeter/1", "--all"], { cwd: tree.root, env });
    for (const name of ["packed.zip", "packed.txt.gz", "twice.zip"])
      expect(out).toContain(`${name} was not kept: it contains a packed secret`);
    for (const name of ["closed.tar.xz", "holds-closed.zip"]) {
      expect(outputs).not.toContain(name);
      expect(out).toContain(`${name} was not kept: it is packed (xz) and cannot be searched for secrets`);
    }
  },
);

/** Every spelling, in the name, in the bytes and in what they unpack to. */
function hitsIn(root: string, path: string): readonly string[] {
  const names = path.includes(KEY.replaceAll("/", "_")) ? [`${path}: in its name`] : [];
  if (!lstatSync(join(root, path)).isFile()) return names;
  const bytes = readFileSync(join(root, path));
  const unpacked = bytes[0] === 0x1f && bytes[1] === 0x8b ? [bytes, gunzipSync(bytes)] : [bytes];
  const joined = unpacked.map((one) =>
    Buffer.from(one.toString("latin1").replaceAll(/\r|\n|\\r|\\n/g, ""), "latin1"),
  );
  const inside = Object.entries(FORMS).filter(([, form]) =>
    [...unpacked, ...joined].some((one) => one.includes(form)),
  );
  return [...names, ...inside.map(([name]) => `${path}: ${name}`)];
}
