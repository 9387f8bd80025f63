import type { Json, JsonObject } from "../../domain/json.ts";
import { contentText, listAt, textAt } from "../loose.ts";

/** The conversation, which may also be a bare text of the user. */
export function inputOf(body: JsonObject): readonly Json[] {
  return typeof body["input"] === "string"
    ? [{ role: "user", content: body["input"] }]
    : listAt(body, "input");
}

/** What a tool gave back: a text, a list of parts, or an object that holds the text. */
export function outputText(output: unknown): string {
  return contentText(output) || textAt(output, "content");
}
