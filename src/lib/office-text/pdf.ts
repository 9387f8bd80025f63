import { type PdfFont, latin, pdfFont } from "./pdf-font.ts";
import { isArray, isDictionary, type PdfObjects, pdfObjects } from "./pdf-objects.ts";
import { pdfReader, type PdfValue } from "./pdf-value.ts";

/** The text of all pages in reading order as the file draws it; null when it is encrypted or its text cannot be told. */
export function pdfText(bytes: Buffer, mostBytes: number): { text: string; cut: boolean } | null {
  const objects = pdfObjects(bytes, mostBytes);
  if (objects.encrypted) return null;
  const found = pages(objects);
  const fonts = new Map<PdfValue, PdfFont>();
  const texts = found.slice(0, MOST_PAGES).map((page, index) => {
    const contents = objects.entry(page.page, "Contents");
    const streams = isArray(contents) ? contents.values : [contents];
    const content = streams.map((stream) => objects.stream(stream) ?? "").join("\n");
    return `# Page ${index + 1}\n${drawnText(content, { objects, fonts, resources: page.resources, depth: 0 })}`;
  });
  const hasText = texts.some((text) => /\n[^]*[\p{L}\p{N}]/u.test(text));
  return hasText ? { text: texts.join("\n"), cut: found.length > MOST_PAGES } : null;
}

const MOST_PAGES = 500;

interface Page {
  readonly page: PdfValue;
  readonly resources: PdfValue | undefined;
}

function pages(objects: PdfObjects): readonly Page[] {
  const root = [...objects.all.values()].find((value) => isType(objects, value, "Catalog"));
  const found: Page[] = [];
  const seen = new Set<PdfValue>();
  const walk = (node: PdfValue | undefined, inherited: PdfValue | undefined): void => {
    const value = objects.get(node);
    if (value === undefined || seen.has(value)) return;
    seen.add(value);
    const resources = objects.entry(value, "Resources") ?? inherited;
    const kids = objects.entry(value, "Kids");
    if (isArray(kids)) for (const kid of kids.values) walk(kid, resources);
    else found.push({ page: value, resources });
  };
  if (root !== undefined) walk(objects.entry(root, "Pages"), undefined);
  if (found.length > 0) return found;
  return [...objects.all.values()]
    .filter((value) => isType(objects, value, "Page"))
    .map((page) => ({ page, resources: objects.entry(page, "Resources") }));
}

function isType(objects: PdfObjects, value: PdfValue, name: string): boolean {
  const type = isDictionary(value) ? objects.entry(value, "Type") : undefined;
  return typeof type === "object" && type?.kind === "name" && type.name === name;
}

interface Drawing {
  readonly objects: PdfObjects;
  readonly fonts: Map<PdfValue, PdfFont>;
  readonly resources: PdfValue | undefined;
  readonly depth: number;
}

/** Goes over the drawing operators: what moves to another line begins a line, a wide step is a space. */
function drawnText(content: string, drawing: Drawing): string {
  let text = "";
  let font: PdfFont = latin;
  let baseline: number | null = null;
  let operands: PdfValue[] = [];
  const show = (value: PdfValue | undefined): void => {
    if (typeof value === "object" && value?.kind === "string") text += font(value.bytes) ?? "";
  };
  const moveLine = (): void => {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
  };
  const step = (): void => {
    if (text !== "" && !/\s$/.test(text)) text += " ";
  };
  const reader = pdfReader(content);
  for (let value = reader.next(); value !== undefined; value = reader.next()) {
    if (typeof value !== "object" || value?.kind !== "operator") {
      operands.push(value);
      continue;
    }
    switch (value.name) {
      case "Tf":
        font = fontNamed(operands[0], drawing);
        break;
      case "Tj":
        show(operands[0]);
        break;
      case "'":
      case '"':
        moveLine();
        show(operands.at(-1));
        break;
      case "TJ":
        for (const piece of isArray(operands[0]) ? operands[0].values : []) {
          if (typeof piece === "number" && piece < -180) step();
          else show(piece);
        }
        break;
      case "Td":
      case "TD":
        if (operands[1] === 0) step();
        else moveLine();
        break;
      case "T*":
        moveLine();
        break;
      case "Tm":
        if (baseline !== operands[5]) moveLine();
        else step();
        baseline = typeof operands[5] === "number" ? operands[5] : null;
        break;
      case "Do":
        moveLine();
        text += formText(operands[0], drawing);
        break;
      default:
        break;
    }
    operands = [];
  }
  return text.trimEnd();
}

function fontNamed(name: PdfValue | undefined, { objects, fonts, resources }: Drawing): PdfFont {
  if (typeof name !== "object" || name?.kind !== "name") return latin;
  const font = objects.entry(objects.entry(resources, "Font"), name.name);
  if (font === undefined) return latin;
  const known = fonts.get(font) ?? pdfFont(objects, font);
  fonts.set(font, known);
  return known;
}

/** A form is a drawing inside a drawing; anything else that is painted has no text. */
function formText(name: PdfValue | undefined, drawing: Drawing): string {
  const { objects, resources, depth } = drawing;
  if (depth > 4 || typeof name !== "object" || name?.kind !== "name") return "";
  const form = objects.entry(objects.entry(resources, "XObject"), name.name);
  const subtype = objects.entry(form, "Subtype");
  if (typeof subtype !== "object" || subtype?.kind !== "name" || subtype.name !== "Form") return "";
  const content = objects.stream(form);
  if (content === null) return "";
  return drawnText(content, {
    ...drawing,
    resources: objects.entry(form, "Resources") ?? resources,
    depth: depth + 1,
  });
}
