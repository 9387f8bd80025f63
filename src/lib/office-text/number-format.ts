import { format, getFormatInfo } from "numfmt";

/** Turns the number of a cell, as the file has it, into what a person sees there. */
export type NumberFormat = (value: string) => string;

/**
 * A format as spreadsheets write it. Where it hides a part of the value, the value follows in brackets: `Jan-24
 * [2024-01-15]`. A value that the format does not fit stays as it is; so does everything under a format that is none.
 */
export function numberFormat(pattern: string, { from1904 }: { readonly from1904: boolean }): NumberFormat {
  const info = pattern.length > MOST_PATTERN_CHARS ? null : infoOf(pattern);
  if (info === null || info.type === "general" || info.type === "text") return (value) => value;
  const elapsed = ELAPSED.test(pattern);
  return (value) => {
    const number = value.trim() === "" ? Number.NaN : Number(value);
    if (!Number.isFinite(number)) return value;
    // Less than a day is a time in both systems.
    const shifted = info.isDate && from1904 && number >= 1 && !elapsed;
    const serial = shifted ? number + DAYS_TO_1904 : number;
    try {
      const shown = format(pattern, serial, BOUNDS).trim();
      if (elapsed) return shown;
      const hidden = info.isDate ? hiddenTime(shown, serial) : hiddenNumber(shown, value, info.scale);
      return hidden === null ? shown : `${shown} [${hidden}]`.trim();
    } catch {
      return value;
    }
  };
}

/** What spreadsheet programs allow. */
const MOST_PATTERN_CHARS = 255;
const DAYS_TO_1904 = 1462;
const SECONDS_A_DAY = 86_400;
const BOUNDS = { dateErrorThrows: true, dateSpanLarge: false };

/** Hours, minutes or seconds that go on beyond a day, which are no moment. */
const ELAPSED = /\[(?:h+|m+|s+)\]/i;

function infoOf(pattern: string): ReturnType<typeof getFormatInfo> | null {
  try {
    return getFormatInfo(pattern);
  } catch {
    return null;
  }
}

/** Null where the date or time is shown whole, largest part first. */
function hiddenTime(shown: string, serial: number): string | null {
  const spelled = spellings(Math.round(serial * SECONDS_A_DAY));
  return spelled.includes(shown) ? null : (spelled.at(-1) ?? null);
}

/** A moment with and without seconds and hours that are zero; the shortest comes last. */
function spellings(seconds: number): readonly string[] {
  const day =
    seconds < SECONDS_A_DAY ? "" : format("yyyy-mm-dd", Math.floor(seconds / SECONDS_A_DAY), BOUNDS);
  const whole = `${day} ${format("hh:mm:ss", seconds / SECONDS_A_DAY, BOUNDS)}`.trim();
  const spelled = [whole];
  if (seconds % 60 === 0) spelled.push(whole.slice(0, -":00".length));
  if (seconds % SECONDS_A_DAY === 0 && day !== "") spelled.push(day);
  return spelled;
}

/** Null where the digits, the size and the sign can be seen, however they are punctuated. */
function hiddenNumber(shown: string, value: string, scale: number): string | null {
  const number = Number(value);
  // What a binary fraction adds beyond fifteen digits, no program shows.
  const exact = number.toPrecision(15).replace(/e.*$/, "");
  const digits = significant(shown) === significant(exact);
  const sign = number >= 0 || /[-(\u2212]/.test(shown);
  return digits && sign && scale >= 1 ? null : value;
}

function significant(text: string): string {
  return text.replaceAll(/\D/g, "").replace(/^0+/, "").replace(/0+$/, "");
}
