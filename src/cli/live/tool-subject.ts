import type { Json } from "../../domain/json.ts";

/** What a tool was called with, as far as it fits a line: a command, a path, a query. Empty: nothing that says much. */
export function toolSubject(input: Json): string {
  if (typeof input === "string") return input;
  if (input === null || typeof input !== "object") return "";
  const values = new Map<string, unknown>(Object.entries(input));
  return SUBJECTS.map((key) => values.get(key)).find((value) => typeof value === "string") ?? "";
}

/** What clients call the part of a tool's input that says most. */
const SUBJECTS = [
  "command",
  "cmd",
  "file_path",
  "path",
  "skill",
  "pattern",
  "query",
  "url",
  "name",
  "description",
];
