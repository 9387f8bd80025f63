import { computed, signal } from "@preact/signals";

/**
 * Where the reader is: a screen and its settings. Served, that is the address of the page itself, so that it has a Markdown
 * twin; in a file it stands behind `#`.
 */
export interface ShownPlace {
  readonly screen: string;
  readonly settings: Settings;
}
type Settings = Readonly<Record<string, string>>;

const address = signal("");
export const place = computed(() => placeOf(address.value));

const served = () => window.location.protocol !== "file:" && document.querySelector("#assay-data") === null;

/** The address of a place; empty settings are left out. */
export function hrefOf(
  screen: string,
  settings: Readonly<Record<string, string | number | null>> = {},
): string {
  return `${served() ? "/" : "#/"}${addressOf(screen, settings)}`;
}

export function addressOf(
  screen: string,
  settings: Readonly<Record<string, string | number | null>>,
): string {
  const given = Object.entries(settings).filter(([, value]) => value !== null && value !== "");
  const query = given
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(String(value)))}`)
    .join("&");
  return query === "" ? screen : `${screen}?${query}`;
}

/** Half a character, as where a text was cut, has no address. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

export function placeOf(text: string): ShownPlace {
  const [screen = "", query = ""] = text.split(/\?(.*)/s);
  return { screen, settings: Object.fromEntries(new URLSearchParams(query)) };
}

/** Follows the address, and takes over links within the app. */
export function follow(): void {
  const read = () => {
    const { pathname, search, hash } = window.location;
    address.value = served() ? `${pathname.slice(1)}${search}` : hash.replace(/^#\/?/, "");
  };
  window.addEventListener("popstate", read);
  window.addEventListener("hashchange", read);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href") ?? "";
    const elsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (link === null || elsewhere || link.target !== "" || link.hasAttribute("download")) return;
    if (!/^#?\/(?!\/|api\/)/.test(href)) return;
    event.preventDefault();
    go(href);
  });
  read();
}

export function go(href: string): void {
  window.history.pushState(null, "", href);
  address.value = href.replace(/^#?\//, "");
  window.scrollTo(0, 0);
}

/** Changes settings of the same place without a step in the history. */
export function adjust(changes: Readonly<Record<string, string | number | null>>): void {
  const { screen, settings } = place.peek();
  const href = hrefOf(screen, { ...settings, ...changes });
  window.history.replaceState(null, "", href);
  address.value = href.replace(/^#?\//, "");
}

/** A setting of the current place; empty where there is none. */
export function setting(name: string): string {
  return place.value.settings[name] ?? "";
}
