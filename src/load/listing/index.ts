import { claudeCodeListing } from "./claude-code.ts";
import type { ListingClient } from "./client.ts";
import { codexListing } from "./codex.ts";
import { notKnown } from "./not-known.ts";

/** The clients whose rules are known, and those of which it is known that they are not. */
export const LISTING_CLIENTS: readonly ListingClient[] = [
  claudeCodeListing,
  codexListing,
  notKnown("gemini"),
  notKnown("opencode"),
  notKnown("copilot"),
];
