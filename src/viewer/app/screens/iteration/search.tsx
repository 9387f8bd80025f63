import { useEffect, useState } from "preact/hooks";
import type { IterationAddress } from "../../../../domain/pages.ts";
import type { SearchHit, SearchPage } from "../../../../domain/run-pages.ts";
import { ask } from "../../../api.ts";
import { Panel } from "../../parts/panel.tsx";
import { hrefOf } from "../../router.ts";
import { load } from "../../source.ts";
import { TEXTS } from "../../texts.ts";

type SearchAddress = IterationAddress & { readonly trial: string | null };

interface Found {
  readonly hits: readonly SearchHit[];
  readonly last: SearchPage | null;
  readonly problem: string | null;
}

const NOTHING_YET: Found = { hits: [], last: null, problem: null };
const SHOWN = 200;

/** Where a text occurs in all transcripts of an iteration; counts on while it shows the first hits. */
export function SearchPanel({ at }: { readonly at: SearchAddress }) {
  const [query, setQuery] = useState("");
  const found = useSearch(at, query);
  return (
    <Panel
      title={TEXTS.search.title}
      flush
      tools={
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const words = new FormData(event.currentTarget).get("words");
            setQuery(typeof words === "string" ? words : "");
          }}
        >
          <input
            type="search"
            name="words"
            placeholder={TEXTS.search.words}
            aria-label={TEXTS.search.words}
          />
        </form>
      }
    >
      {query !== "" && (
        <p class="row quiet" role="status">
          {found.problem ??
            TEXTS.search.count(found.last?.count ?? 0, found.last?.runs ?? 0, found.last?.done ?? false)}
        </p>
      )}
      {found.hits.map((hit) => (
        <a
          key={`${hit.trial} ${hit.event} ${hit.start}`}
          class="row hit"
          href={hrefOf("run", {
            skill: at.skill,
            n: at.n,
            trial: hit.trial,
            event: hit.event,
            q: query,
            quote: query,
          })}
        >
          <span class="quiet small">
            {hit.trial} · {TEXTS.sources.step(hit.event)}
          </span>
          <span class="mono">
            {hit.excerpt.slice(0, hit.start)}
            <mark>{hit.excerpt.slice(hit.start, hit.start + hit.length)}</mark>
            {hit.excerpt.slice(hit.start + hit.length)}
          </span>
        </a>
      ))}
    </Panel>
  );
}

/** Asks on until everything is counted; shows no more than a reader reads. */
export function useSearch(at: SearchAddress, query: string): Found {
  const [found, setFound] = useState(NOTHING_YET);
  useEffect(() => {
    setFound(NOTHING_YET);
    if (query === "") return;
    const search = { left: false };
    void searchOn(at, query, { search, show: setFound });
    return () => {
      search.left = true;
    };
  }, [at.skill, at.n, at.trial, query]);
  return found;
}

async function searchOn(
  at: SearchAddress,
  query: string,
  { search, show }: { readonly search: { left: boolean }; readonly show: (found: Found) => void },
): Promise<void> {
  const hits: SearchHit[] = [];
  let next: string | null = null;
  try {
    do {
      const page: SearchPage = await load(ask.search(at, query, next));
      if (search.left) return;
      if (hits.length < SHOWN) hits.push(...page.hits.slice(0, SHOWN - hits.length));
      show({ hits: [...hits], last: page, problem: null });
      next = page.next;
    } while (next !== null);
  } catch (problem) {
    if (!search.left)
      show({ hits, last: null, problem: problem instanceof Error ? problem.message : String(problem) });
  }
}
