/** Are objects and lists of this JSON text nested more than `most` deep? Walking over such a value can exhaust the stack. */
export function nestsDeeper(json: string, most: number): boolean {
  if (!opensMore(json, most)) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > most) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

/** Far cheaper than to follow them, and true of few texts. */
function opensMore(json: string, most: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"])
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1))
      if (++count > most) return true;
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where the string that begins here ends; the end of the text, where it does not. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
