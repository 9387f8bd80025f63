import { HOSTS_RULE, readHosts } from "../domain/network.ts";
import { LIMITS_RULE, readLimits } from "../domain/limits.ts";

/**
 * A kind of option value. It refuses a wrong value with the same words on a command line, in a configuration file and in a
 * program that calls an operation.
 */
export interface Kind<T> {
  /** Reads the word behind a flag. Throws InvalidValue. */
  readonly fromText: (text: string) => T;
  /** Checks what a program passed. Throws InvalidValue. */
  readonly check: (value: unknown) => T;
}

/** The value is not of its kind; the message says what it must be, as a sentence. */
export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
}

export const text: Kind<string> = kind("It must be non-empty text without NUL characters.", {
  isValid: (value): value is string =>
    typeof value === "string" && value.trim() !== "" && !value.includes("\0"),
});

export const flag: Kind<boolean> = kind("It must be true or false.", {
  isValid: (value) => typeof value === "boolean",
  fromText: (word) => word === "true",
});

export function wholeNumber(min: number): Kind<number> {
  return kind(`It must be a whole number of at least ${min}.`, {
    isValid: (value): value is number => Number.isSafeInteger(value) && (value as number) >= min,
    fromText: (word) => (/^\d+$/.test(word.trim()) ? Number(word) : null),
  });
}

/** From 0 to 1. */
export const share: Kind<number> = kind("It must be a number between 0 and 1; 0.2 is 20 %.", {
  isValid: (value): value is number => typeof value === "number" && value >= 0 && value <= 1,
  fromText: numberIn,
});

export const positive: Kind<number> = kind("It must be a number above 0.", {
  isValid: (value): value is number => typeof value === "number" && Number.isFinite(value) && value > 0,
  fromText: numberIn,
});

/** Several, with commas. */
export const texts: Kind<readonly string[]> = kind("It must be a list of texts.", {
  isValid: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string"),
  fromText: commaList,
});

/** As `texts`, for options that mean nothing without a name. */
export const names: Kind<readonly string[]> = kind("It must be a list of one or more names.", {
  isValid: (value): value is readonly string[] =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one !== ""),
  fromText: commaList,
});

/** Hosts with their ports, several with commas. */
export const hosts: Kind<readonly string[]> = kind(HOSTS_RULE, {
  read: (value) => (Array.isArray(value) && value.every(isText) ? readHosts(value) : value),
  isValid: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
  fromText: commaList,
});

const isText = (value: unknown): value is string => typeof value === "string";

/** What one trial may use, e.g. `memory=8GB`. */
export const limits: Kind<string> = kind(LIMITS_RULE, {
  isValid: (value): value is string => typeof value === "string" && readLimits(value) !== null,
});

export interface Shard {
  /** Counts from 1. */
  readonly index: number;
  readonly count: number;
}

export const shard: Kind<Shard> = kind("It must be i/n with i from 1 to n, e.g. 2/4.", {
  // Programs may write it as people do.
  read: (value) => (typeof value === "string" ? shardOf(value) : value),
  isValid: (value): value is Shard => {
    const { index, count } = (value ?? {}) as Partial<Shard>;
    const whole = Number.isSafeInteger(index) && Number.isSafeInteger(count);
    return whole && (index as number) >= 1 && (index as number) <= (count as number);
  },
  fromText: shardOf,
});

function shardOf(word: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(word) ?? [];
  return { index: Number(index), count: Number(count) };
}

/** `synonyms` are other words for a choice, taken everywhere and listed nowhere. */
export function choice<const T extends string>(
  choices: readonly T[],
  synonyms: Readonly<Record<string, T>> = {},
): Kind<T> & Choices {
  const one = kind(`Allowed choices are ${choices.join(", ")}.`, {
    isValid: (value): value is T => choices.includes(value as T),
  });
  const meant = (value: unknown): unknown =>
    typeof value === "string" && Object.hasOwn(synonyms, value) ? synonyms[value] : value;
  const check = (value: unknown) => one.check(meant(value));
  return { check, fromText: check, choices };
}

/** A kind that can list its values, for help and completion. */
export interface Choices {
  readonly choices: readonly string[];
}

export function commaList(word: string): string[] {
  return word
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function kind<T>(
  rule: string,
  how: {
    isValid: (value: unknown) => value is T;
    fromText?: (text: string) => unknown;
    /** What else a program may pass. */
    read?: (value: unknown) => unknown;
  },
): Kind<T> {
  const check = (said: unknown): T => {
    const value = how.read === undefined ? said : how.read(said);
    if (how.isValid(value)) return value;
    throw new InvalidValue(rule);
  };
  return { check, fromText: (word) => check(how.fromText === undefined ? word : how.fromText(word)) };
}

function numberIn(word: string): number | null {
  return word.trim() === "" ? null : Number(word);
}
