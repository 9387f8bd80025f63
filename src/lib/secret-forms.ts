/** The spellings in which a known value travels: as it is, in JSON, in a URL, in base64, in hexadecimal digits, backwards. */
export function secretForms(secret: string): string[] {
  return [secret, ...longLines(secret)].flatMap((value) =>
    [value, backwards(value)].concat(jsonForms(value), urlForms(value), base64Forms(value), hexForms(value)),
  );
}

/** As two bytes for each unit, in both orders; bytes as latin1. */
export function wideForms(secret: string): string[] {
  const little = Buffer.from(secret, "utf16le");
  return [little, Buffer.from(little).swap16()].map((bytes) => bytes.toString("latin1"));
}

function backwards(value: string): string {
  return Array.from(value).toReversed().join("");
}

/** In a row, and as dumps and fingerprints part them. */
function hexForms(value: string): string[] {
  const digits = Buffer.from(value, "utf8").toString("hex");
  const pairs = digits.match(/../g) ?? [];
  const fours = digits.match(/.{1,4}/g) ?? [];
  const forms = [
    digits,
    pairs.join(" "),
    pairs.join(":"),
    fours.join(" "),
    pairs.map((pair) => `\\x${pair}`).join(""),
  ];
  return forms.flatMap((form) => [form, form.toUpperCase().replaceAll("\\X", "\\x")]);
}

/** A value of several lines is often printed indented or with other line ends; its long lines give it away too. */
function longLines(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= 20 && !line.startsWith("-----"));
}

/** Once escaped, JSON inside JSON, with `/` escaped as some writers do, and with everything above ASCII escaped. */
function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const ascii = once.replaceAll(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const slashes = once.replaceAll("/", "\\/");
  return [once, ascii, slashes].flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

/** Percent-encoded with capital or small digits, in the query's and the form's manner, and with all punctuation encoded. */
function urlForms(value: string): string[] {
  if (/\p{Surrogate}/u.test(value)) return [];
  const component = encodeURIComponent(value);
  const strict = component.replaceAll(/[!'()*~]/g, percent);
  const all = strict.replaceAll(/[-_.]/g, percent);
  const each = Array.from(Buffer.from(value, "utf8"), (byte) => percent(String.fromCharCode(byte))).join("");
  // A path's encoding, as Python's quote has it, leaves "/" and "~" alone.
  const path = component.replaceAll(/[!'()*]/g, percent).replaceAll("%2F", "/");
  const forms = [
    component,
    strict,
    all,
    each,
    path,
    component.replaceAll("%2F", "/"),
    encodeURI(value),
    new URLSearchParams({ v: value }).toString().slice(2),
  ];
  return forms.flatMap((form) => [form, form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** In both alphabets, alone and inside longer text: the characters that do not depend on the neighbours. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const forms = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const exact = (shift + bytes.length) % 3 === 0;
    return encoded.slice(Math.ceil((shift * 4) / 3), exact ? undefined : -1);
  });
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
