import type { Json } from "../../domain/json.ts";
import type { Trespass } from "../../domain/run.ts";
import { sensitivePlacesIn } from "../../lib/sensitive-places.ts";
import { refusalsIn } from "./refusals.ts";

/** Collects, while a run is recorded, what its commands reach for and what they are refused. */
export class TrespassWatch {
  readonly #places = new Set<string>();
  readonly #refused = new Map<string, Trespass>();
  /** Names of files in commands, some of which may be the skill's scripts. */
  readonly files = new Set<string>();
  /** Programs that were still running when the agent had ended. */
  readonly left: string[] = [];

  call(input: Json): void {
    for (const text of textsOf(input)) {
      const looked = text.slice(0, MOST_CHARS);
      for (const name of placesIn(looked)) this.#places.add(name);
      for (const [file] of looked.matchAll(FILE)) if (this.files.size < MOST_FILES) this.files.add(file);
    }
  }

  result(output: string): void {
    for (const one of refusalsIn(output, isTrials)) {
      if (this.#refused.size < MOST_REFUSALS) this.#refused.set(one.what, one);
    }
  }

  /** Sensitive places that commands name, or scripts that commands ran. */
  get places(): ReadonlySet<string> {
    return this.#places;
  }

  get refused(): readonly Trespass[] {
    return [...this.#refused.values()];
  }
}

/** What is sensitive on every machine, and what of Assay's own would give the answers away. */
export function placesIn(text: string): readonly string[] {
  const own = OWN_PLACES.filter(({ pattern }) => pattern.test(text));
  return [...sensitivePlacesIn(text).map(({ place }) => place), ...own].map(({ name }) => name);
}

const OWN_PLACES = [
  { name: "the evals", pattern: /\bevals\.json\b|\.eval\.json\b/ },
  { name: "the results", pattern: /\.assay\b|\bgrading\.json\b/ },
  { name: "the workspaces of other runs", pattern: /\/tmp\/assay-/ },
];

const MOST_CHARS = 64 * 1024;
const MOST_FILES = 100;
const MOST_REFUSALS = 50;
const FILE = /[\w@%+=./~-]{1,200}\.(?:sh|bash|py|m?js|cjs|ts|rb|pl|php|ps1)\b/g;

/** Where a run may do as it likes, in every sandbox. */
function isTrials(path: string): boolean {
  return /^\/(?:sandbox\/(?:workspace|home)|tmp|var\/tmp)(?:\/|$)/.test(path);
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsOf) : [];
}
