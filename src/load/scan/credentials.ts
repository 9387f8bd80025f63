import { sensitivePlacesIn, type PlaceMention } from "../../lib/sensitive-places.ts";
import { SENDS } from "./command-text.ts";
import type { FileRole, ScanHit } from "./hit.ts";

/** Mentions of places that hold credentials; worse where what is there is sent away. */
export function credentialHits(text: string, role: FileRole): ScanHit[] {
  const mentions = sensitivePlacesIn(text);
  const sends = mentions.length > 0 && role === "script" && SENDS.test(text);
  return mentions.map((mention) =>
    mention.place.isSecret && (sends || SENDS.test(lineOf(text, mention)))
      ? {
          code: "security/credential-theft",
          offset: mention.offset,
          message: `${mention.place.name} is read where something is sent to another machine`,
        }
      : {
          code: "security/credential-path",
          offset: mention.offset,
          message: `${mention.place.name} is named here`,
        },
  );
}

function lineOf(text: string, { offset }: PlaceMention): string {
  const end = text.indexOf("\n", offset);
  return text.slice(text.lastIndexOf("\n", offset) + 1, end === -1 ? text.length : end).slice(0, 2000);
}
