import { escapeRegExp } from "./escape-reg-exp.ts";
import { Transform } from "node:stream";
import { secretForms, wideForms } from "./secret-forms.ts";
import { MAX_TOKEN_LENGTH, TOKEN_CONTEXT_LENGTH, TOKEN_SHAPES } from "./secret-shapes.ts";
import { type Rewrite, windowed, type Windowed } from "./windowed-text.ts";
import { wrappedSecrets } from "./wrapped-secret.ts";

export const MASKED = "[masked]";

/** Known values that are shorter would be found all over innocent text; they are left alone. */
const MIN_SECRET_LENGTH = 8;

/** Takes secrets out of whatever is written or shown. Masking twice changes nothing. */
export interface SecretMask {
  text(text: string): string;
  /** Every string in a JSON value, keys included; the value keeps its shape. */
  json<T>(value: T): T;
  /** Bytes as latin1, one character each: what `stream` does, for what is at hand whole. */
  bytes(latin1: string): string;
  /** Bytes in, bytes out, the same for every way of cutting the stream; holds a bounded window back. */
  stream(): Transform;
}

/** Masks these values, in every spelling they commonly travel in, and everything that has the shape of a token. */
export function secretMask(secrets: readonly string[]): SecretMask {
  const known = [...new Set(secrets)].filter((secret) => secret.trim().length >= MIN_SECRET_LENGTH);
  const forms = known.flatMap(secretForms).filter((form) => form.length >= MIN_SECRET_LENGTH);
  const inText = patternOf(forms);
  const byteForms = [
    ...forms.map((form) => Buffer.from(form, "utf8").toString("latin1")),
    ...known.flatMap(wideForms),
  ];
  const inBytes = patternOf(byteForms);
  const windowBytes = Math.max(MAX_TOKEN_LENGTH, ...byteForms.map((form) => form.length)) + 1;
  const wrapped = wrappedSecrets(forms, MASKED);
  const joined = (whole: string) => wrapped?.rewrite(whole, 0, whole.length).out ?? whole;
  const text = (whole: string) => maskText(joined(whole), inText);
  const stages = () => [
    ...(wrapped === null ? [] : [windowed(wrapped.rewrite, { window: wrapped.longest, context: 0 })]),
    windowed(rewriteBy(inBytes), { window: windowBytes, context: TOKEN_CONTEXT_LENGTH }),
  ];
  return {
    text,
    json: (value) => maskJson(value, { text, key: remembered(text) }),
    bytes: (latin1) => maskText(joined(latin1), inBytes),
    stream: () => maskStream(stages()),
  };
}

/** One pattern for all; a named part of a match that is no secret, such as `Bearer `, is kept. */
function patternOf(forms: readonly string[]): RegExp {
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length).map(escapeRegExp);
  return new RegExp([...longestFirst, ...TOKEN_SHAPES].join("|"), "g");
}

function maskText(whole: string, pattern: RegExp): string {
  return whole.length < MIN_SECRET_LENGTH ? whole : whole.replace(pattern, replacement);
}

/** `replace` passes the groups by name last, when there are any; every pattern has some. */
function replacement(...found: unknown[]): string {
  const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
  for (const name in groups) if (groups[name] !== undefined) return groups[name] + MASKED;
  return MASKED;
}

interface JsonMask {
  readonly text: (text: string) => string;
  readonly key: (text: string) => string;
}

function maskJson<T>(value: T, mask: JsonMask): T {
  if (typeof value === "string") return mask.text(value) as T;
  if (Array.isArray(value)) return value.map((element: unknown) => maskJson(element, mask)) as T;
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, inner]) => [mask.key(key), maskJson(inner, mask)]);
  return Object.fromEntries(entries) as T;
}

/** Nearly all keys are the same few dozen names, over and over. */
function remembered(mask: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const masked = mask(text);
    if (known.size < MOST_KEYS && text.length <= LONGEST_KEY) known.set(text, masked);
    return masked;
  };
}

const MOST_KEYS = 1000;
const LONGEST_KEY = 40;

/** Exactly what `replace` does to the undivided text. */
function rewriteBy(pattern: RegExp): Rewrite {
  return (held, from, until) => {
    let out = "";
    let done = from;
    pattern.lastIndex = from;
    for (let match = pattern.exec(held); match !== null; match = pattern.exec(held)) {
      if (match.index >= until) break;
      out += held.slice(done, match.index) + replacement(match.groups ?? {});
      done = match.index + match[0].length;
    }
    const end = Math.max(done, until);
    return { out: out + held.slice(done, end), end };
  };
}

/**
 * Bytes are handled as latin1, one character each, so that invalid UTF-8 and characters cut in two pass through unchanged.
 */
function maskStream(stages: readonly Windowed[]): Transform {
  const passed = (piece: string): string => stages.reduce((text, stage) => stage.push(text), piece);
  const rest = (): string => stages.reduce((text, stage) => stage.push(text) + stage.end(), "");
  return new Transform({
    transform(chunk: Buffer | string, encoding, callback) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
      const out = passed(bytes.toString("latin1"));
      if (out === "") callback();
      else callback(null, Buffer.from(out, "latin1"));
    },
    flush(callback) {
      callback(null, Buffer.from(rest(), "latin1"));
    },
  });
}
