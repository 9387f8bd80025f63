/** The rows of comma-, semicolon- or tab-separated values; quoted ones may hold separators and line ends. */
export function csvRows(text: string): readonly (readonly string[])[] {
  const separator = separatorOf(text.split("\n", 1)[0] ?? "");
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quoted && sign === '"' && text[at + 1] === '"') {
      cell += sign;
      at++;
    } else if (sign === '"' && (quoted || cell === "")) quoted = !quoted;
    else if (!quoted && sign === separator) {
      row.push(cell);
      cell = "";
    } else if (!quoted && sign === "\n") {
      rows.push([...row, cell.replace(/\r$/, "")]);
      row = [];
      cell = "";
    } else cell += sign;
  }
  return cell === "" && row.length === 0 ? rows : [...rows, [...row, cell]];
}

function separatorOf(line: string): string {
  const often = (sign: string) => line.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (often(sign) > often(best) ? sign : best));
}
