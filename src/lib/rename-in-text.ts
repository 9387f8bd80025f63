import { escapeRegExp } from "./escape-reg-exp.ts";

/** Changes a file's name where it stands alone, not where it is a part of another word or path. */
export function renamer(name: string, path: string): (text: string) => string {
  const pattern = new RegExp(`(?<![\\w./-])(?:\\./)?${escapeRegExp(name)}(?![\\w/-]|\\.\\w)`, "g");
  return (text) => text.replaceAll(pattern, () => path);
}
