import type { TimelineIndex } from "../../../../domain/run-pages.ts";
import { count } from "../../format.ts";
import { adjust } from "../../router.ts";
import { TEXTS } from "../../texts.ts";

const WIDTH = 600;
const MOST = 200;

/** Tokens of each model response; a bar leads to its step. */
export function TokenStrip({ index }: { readonly index: TimelineIndex }) {
  const shown = index.tokens.slice(0, MOST);
  if (shown.length < 2) return null;
  const most = Math.max(...shown.map(([, tokens]) => tokens), 1);
  const width = Math.min(16, WIDTH / shown.length);
  const words = TEXTS.timeline.tokens(shown.length, count(most));
  return (
    <div class="strip">
      <span class="small quiet">{words}</span>
      <svg
        width="100%"
        height={24}
        viewBox={`0 0 ${WIDTH} 24`}
        preserveAspectRatio="xMinYMid meet"
        role="img"
        aria-label={words}
      >
        {shown.map(([event, tokens], at) => (
          <rect
            key={event}
            class="bar"
            x={at * width}
            y={23 - (tokens / most) * 22}
            width={Math.max(1, width - 2)}
            height={Math.max(1, (tokens / most) * 22)}
            onClick={() => adjust({ event })}
          >
            <title>{TEXTS.timeline.tokensAt(event, count(tokens))}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}
