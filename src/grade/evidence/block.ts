import type { EvidenceSource } from "../../domain/verdict.ts";
import type { QuestionPart } from "../judge.ts";
import type { Excerpt } from "./passage.ts";

/** Something of the run that may be shown, before it is decided how much of it. */
export interface Exhibit {
  /** How a judge cites it: `event 12`, `file 3`, `output`. */
  readonly label: string;
  /** What stands beside the label; may hold text that the agent wrote. */
  readonly title: string;
  readonly source: EvidenceSource;
  readonly room: Room;
  /** Handed to the agent rather than made by it: no proof of what it did. */
  readonly given: boolean;
  readonly content: Content;
}

export type Content =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Characters of the original that are not in `text`, because it was too large to be held. */
      readonly unread: number;
    }
  | { readonly kind: "image"; readonly image: QuestionPart & { readonly kind: "image" } }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What an exhibit shares its part of the budget with. */
export type Room = "turns" | "actions" | "made" | "inputs";

/** An exhibit as it is shown. */
export interface Block {
  readonly exhibit: Exhibit;
  /** Null for what is not text. */
  readonly excerpt: Excerpt | null;
}
