import { contentText, listAt, type Loose, objectAt, textAt } from "../lib/loose.ts";

/** System messages, and the reminders that clients put into the user's. */
export function messageTexts(messages: readonly unknown[]): readonly string[] {
  return messages.flatMap((message) => {
    const text = contentText(objectAt(message)["content"]);
    const role = textAt(message, "role");
    if (role === "system" || role === "developer") return [text];
    return role === "user" ? reminders(text) : [];
  });
}

export function reminders(text: string): readonly string[] {
  return [...text.matchAll(/<system-reminder>([\s\S]*?)<\/system-reminder>/g)].map((match) => match[1] ?? "");
}

/** What the tools on offer say about themselves. */
export function toolTexts(body: Loose): readonly string[] {
  return listAt(body, "tools").map(
    (tool) => textAt(tool, "description") || textAt(objectAt(tool, "function"), "description"),
  );
}
