/** A share as signed percentage points; a tenth where a whole point would say none. */
export function points(share: number): string {
  const whole = Math.round(share * 100);
  const shown = whole === 0 ? Math.round(share * 1000) / 10 : whole;
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
  return `${Number(((1 - alpha) * 100).toPrecision(3))} %`;
}
