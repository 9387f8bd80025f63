import { signal } from "@preact/signals";
import { TEXTS } from "../texts.ts";

/** What happened last, for a moment. */
export const said = signal("");
let clearing = 0;

export function say(words: string): void {
  said.value = words;
  window.clearTimeout(clearing);
  clearing = window.setTimeout(() => (said.value = ""), 2500);
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  say(TEXTS.copied);
}

/** A page from a file has no clipboard of its own. */
function copyBySelection(text: string): void {
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <button type="button" title={text.slice(0, 600)} onClick={() => void copy(text)}>
      {label}
    </button>
  );
}
