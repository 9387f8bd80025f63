type Schema = Readonly<Record<string, unknown>>;

/** What a value breaks of a JSON Schema; only the words Assay's own schemas use are known, and others throw. */
export function schemaProblems(schema: Schema, value: unknown, at = "$"): string[] {
  return Object.entries(schema).flatMap(([word, rule]) => {
    const judge = WORDS[word];
    if (judge === undefined) throw new Error(`this checker does not know the schema keyword ${word}`);
    return judge(rule, value, { schema, at });
  });
}

interface Place {
  readonly schema: Schema;
  readonly at: string;
}

type Word = (rule: never, value: unknown, place: Place) => string[];

const ANNOTATION: Word = () => [];

const WORDS: Readonly<Record<string, (rule: unknown, value: unknown, place: Place) => string[]>> = {
  ...({
    $schema: ANNOTATION,
    title: ANNOTATION,
    description: ANNOTATION,
    default: ANNOTATION,
    examples: ANNOTATION,
    format: ANNOTATION,
    type: (rule: string | string[], value, { at }) =>
      [rule].flat().some((name) => hasType(name, value)) ? [] : [`${at} is not of type ${String(rule)}`],
    enum: (rule: unknown[], value, { at }) => (rule.includes(value) ? [] : [`${at} is none of the choices`]),
    const: (rule: unknown, value, { at }) => (rule === value ? [] : [`${at} is not ${String(rule)}`]),
    pattern: (rule: string, value, { at }) =>
      typeof value !== "string" || new RegExp(rule, "u").test(value) ? [] : [`${at} does not match ${rule}`],
    minimum: (rule: number, value, { at }) =>
      typeof value === "number" && value < rule ? [`${at} < ${rule}`] : [],
    maximum: (rule: number, value, { at }) =>
      typeof value === "number" && value > rule ? [`${at} > ${rule}`] : [],
    exclusiveMinimum: (rule: number, value, { at }) =>
      typeof value === "number" && value <= rule ? [`${at} <= ${rule}`] : [],
    minItems: (rule: number, value, { at }) =>
      Array.isArray(value) && value.length < rule ? [`${at} is short`] : [],
    minLength: (rule: number, value, { at }) =>
      typeof value === "string" && value.length < rule ? [`${at} is short`] : [],
    required: (rule: string[], value, { at }) =>
      isObject(value)
        ? rule.filter((key) => !Object.hasOwn(value, key)).map((key) => `${at} lacks ${key}`)
        : [],
    items: (rule: Schema, value, { at }) =>
      Array.isArray(value) ? value.flatMap((one, i) => schemaProblems(rule, one, `${at}[${i}]`)) : [],
    properties: (rule: Record<string, Schema>, value, { at }) =>
      isObject(value)
        ? Object.entries(rule).flatMap(([key, schema]) =>
            Object.hasOwn(value, key) ? schemaProblems(schema, value[key], `${at}.${key}`) : [],
          )
        : [],
    patternProperties: ANNOTATION,
    additionalProperties: (rule: Schema | boolean, value, { schema, at }) => {
      if (!isObject(value) || rule === true) return [];
      const known = Object.keys(schema["properties"] ?? {});
      const patterns = Object.keys(schema["patternProperties"] ?? {});
      const others = Object.keys(value).filter(
        (key) => !known.includes(key) && !patterns.some((pattern) => new RegExp(pattern, "u").test(key)),
      );
      if (rule === false) return others.map((key) => `${at} must not have ${key}`);
      return others.flatMap((key) => schemaProblems(rule, value[key], `${at}.${key}`));
    },
    anyOf: (rule: Schema[], value, { at }) =>
      rule.some((one) => schemaProblems(one, value, at).length === 0)
        ? []
        : [`${at} fits none of ${rule.length} shapes`],
    oneOf: (rule: Schema[], value, { at }) =>
      rule.filter((one) => schemaProblems(one, value, at).length === 0).length === 1
        ? []
        : [`${at} fits not exactly one`],
    allOf: (rule: Schema[], value, { at }) => rule.flatMap((one) => schemaProblems(one, value, at)),
    not: (rule: Schema, value, { at }) =>
      schemaProblems(rule, value, at).length > 0 ? [] : [`${at} is forbidden`],
  } satisfies Record<string, Word>),
} as never;

function hasType(name: string, value: unknown): boolean {
  switch (name) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    default:
      return typeof value === name;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
