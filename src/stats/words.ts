/** A share as signed percentage points, with a decimal or two where a whole point would say none: a bound beside zero is not zero. */
export function points(share: number): string {
  const shown =
    [1, 10, 100].map((part) => Math.round(share * 100 * part) / part).find((one) => one !== 0) ?? 0;
  return `${shown < 0 ? "-" : "+"}${Math.abs(shown)}`;
}

/** With so many digits that what is printed lies on the same side of `alpha` as the value. */
export function pText(pValue: number, alpha: number = 0.05): string {
  if (pValue < 0.001 && alpha >= 0.001) return "< 0.001";
  const isSmall = pValue <= alpha;
  const digits = [3, 4, 5, 6].find((count) => Number(pValue.toFixed(count)) <= alpha === isSmall);
  return `= ${digits === undefined ? String(pValue) : pValue.toFixed(digits)}`;
}

export function confidence(alpha: number): string {
  return `${Number(((1 - alpha) * 100).toFixed(2))} %`;
}
