/**
 * True for an expression that cannot take long on any text: single characters, sets and text edges in a row. What
 * repeats, chooses, looks around or refers back is not vetted here.
 */
export function isLinear(regex: RegExp): boolean {
  let inSet = 0;
  const { source } = regex;
  for (let index = 0; index < source.length; index++) {
    const char = source[index] ?? "";
    if (char === "\\") {
      index++;
      const escaped = source[index] ?? "";
      if (/[1-9k]/.test(escaped) && inSet === 0) return false;
      if (/[pPu]/.test(escaped) && source[index + 1] === "{") index = source.indexOf("}", index);
    } else if (char === "[") inSet++;
    else if (inSet > 0) {
      if (char === "]") inSet--;
    } else if ("*+?{|(".includes(char)) return false;
  }
  return true;
}
