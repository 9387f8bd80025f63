import { signal } from "@preact/signals";

export const keysShown = signal(false);
