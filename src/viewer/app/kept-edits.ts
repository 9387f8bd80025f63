/** Each open page has a place of its own, so that two cannot overwrite each other's edits. */
const OWN = Math.random().toString(36).slice(2);

/** Keeps in the browser what no server has confirmed. */
export function keepEdits(request: string, edits: ReadonlyMap<string, unknown>): void {
  const place = `${placesOf(request)}${OWN}`;
  try {
    if (edits.size === 0) window.localStorage.removeItem(place);
    else window.localStorage.setItem(place, JSON.stringify([...edits.values()]));
  } catch {
    // The browser keeps nothing; the edits are still on the page.
  }
}

/** What a page left that was closed before its server answered. They are this page's from now on. */
export function leftEdits(request: string): readonly unknown[] {
  try {
    const places = Object.keys(window.localStorage).filter((key) => key.startsWith(placesOf(request)));
    const edits = places.flatMap((place) => {
      const kept: unknown = JSON.parse(window.localStorage.getItem(place) ?? "[]");
      return Array.isArray(kept) ? (kept as readonly unknown[]) : [];
    });
    keepEdits(request, new Map(edits.map((edit, at) => [String(at), edit])));
    for (const place of places) window.localStorage.removeItem(place);
    return edits;
  } catch {
    return [];
  }
}

function placesOf(request: string): string {
  return `assay edits ${request} `;
}
