/** A piece of an XML text. Names come without their prefix. */
export type XmlToken =
  | { readonly kind: "open"; readonly name: string; readonly attributes: string; readonly empty: boolean }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** Goes over XML as office programs write it. Declared entities are not expanded, so that a small text cannot grow. */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf("<", at);
    const textEnd = open === -1 ? xml.length : open;
    if (textEnd > at) yield { kind: "text", text: unescapeXml(xml.slice(at, textEnd)) };
    if (open === -1) return;
    if (xml.startsWith("<!--", open)) at = after(xml, "-->", open);
    else if (xml.startsWith("<![CDATA[", open)) {
      at = after(xml, "]]>", open);
      yield { kind: "text", text: xml.slice(open + 9, Math.max(open + 9, at - 3)) };
    } else if (xml[open + 1] === "?" || xml[open + 1] === "!") at = after(xml, ">", open);
    else {
      const end = tagEnd(xml, open);
      yield* tag(xml.slice(open + 1, end));
      at = end + 1;
    }
  }
}

/** The value of an attribute, whatever prefix its name has. */
export function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found === null ? null : unescapeXml(found[1] ?? found[2] ?? "");
}

function* tag(inner: string): Generator<XmlToken> {
  const closing = inner.startsWith("/");
  const full = /^\/?\s*([^\s/>]+)/.exec(inner)?.[1] ?? "";
  const name = full.slice(full.indexOf(":") + 1);
  if (closing) {
    yield { kind: "close", name };
    return;
  }
  const empty = inner.endsWith("/");
  yield { kind: "open", name, attributes: inner.slice(full.length, empty ? -1 : undefined), empty };
  if (empty) yield { kind: "close", name };
}

/** The `>` that ends the tag, not one in an attribute's value. */
function tagEnd(xml: string, open: number): number {
  let quote = "";
  for (let at = open + 1; at < xml.length; at++) {
    const char = xml[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
  }
  return xml.length;
}

function after(xml: string, ending: string, from: number): number {
  const at = xml.indexOf(ending, from);
  return at === -1 ? xml.length : at + ending.length;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g,
    (whole, hex, decimal, name) => {
      if (typeof name === "string") return NAMED[name] ?? whole;
      const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
