/** Like Python's `round(value, decimals)`: the nearest decimal to the exact binary value, halves to even. Never -0. */
export function roundLikePython(value: number, decimals: number): number {
  return Number(fixedLikePython(value, decimals)) + 0;
}

/** Like Python's `"%+.2f" % value` with `decimals` for 2: always signed, also a rounded zero ("-0.00"). */
export function signedLikePython(value: number, decimals: number): string {
  const digits = fixedLikePython(value, decimals);
  return digits.startsWith("-") ? digits : `+${digits}`;
}

/** Like Python's `"%.2f" % value`. */
export function fixedLikePython(value: number, decimals: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written with ${decimals} decimals`);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return sign + fixedMagnitude(Math.abs(value), decimals);
}

function fixedMagnitude(magnitude: number, decimals: number): string {
  // From 1e21 on toFixed writes an exponent; such a number is whole, so its digits are exact.
  if (magnitude >= 1e21)
    return BigInt(magnitude).toString() + (decimals > 0 ? `.${"0".repeat(decimals)}` : "");
  const nearest = magnitude.toFixed(decimals);
  if (!isHalfway(magnitude, decimals) || isEven(nearest)) return nearest;
  // toFixed rounds an exact half up to this odd neighbour; the even one is the half cut off.
  const exact = magnitude.toFixed(decimals + 1);
  return exact.slice(0, decimals === 0 ? -2 : -1);
}

/** Whether the exact value ends in a 5 right behind the last digit kept; such a value is short, so 40 more digits show it. */
function isHalfway(magnitude: number, decimals: number): boolean {
  const tail = magnitude.toFixed(decimals + 40).slice(-40);
  return tail === `5${"0".repeat(39)}`;
}

function isEven(digits: string): boolean {
  return Number(digits.at(-1)) % 2 === 0;
}
