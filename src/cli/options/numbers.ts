import { InvalidArgumentError } from "commander";

/** Parsers for option values; what they refuse, commander reports with the option's name. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text.trim()) || value < min)
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    return value;
  };
}

export function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number between 0 and 1.");
  return value;
}

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

export function shard(text: string): { index: number; count: number } {
  const [, index = "", count = ""] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const parsed = { index: Number(index), count: Number(count) };
  if (index === "" || parsed.index < 1 || parsed.index > parsed.count) {
    throw new InvalidArgumentError("It must be i/n with i from 1 to n, e.g. 2/4.");
  }
  return parsed;
}

export function commaList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** As `commaList`, for options that mean nothing without a name. */
export function names(text: string): string[] {
  const list = commaList(text);
  if (list.length === 0) throw new InvalidArgumentError("It must name at least one.");
  return list;
}

export function numberOption(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
