import type { Json } from "../../../domain/json.ts";
import { TEXTS } from "../texts.ts";
import { Quoted } from "./quoted.tsx";

interface JsonTreeProps {
  readonly value: Json;
  readonly quote?: string;
  readonly depth?: number;
  readonly name?: string | null;
}

const SHOWN = 200;

/** A value that can be unfolded; long texts keep their lines. */
export function JsonTree({ value, quote = "", depth = 0, name = null }: JsonTreeProps) {
  const label = name === null ? null : <span class="token-word">{name}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div class="mono json-line">
        {label}
        {typeof value === "string" && value.includes("\n") ? (
          <pre>
            <Quoted text={value} quote={quote} />
          </pre>
        ) : (
          <Quoted text={typeof value === "string" ? value : JSON.stringify(value)} quote={quote} />
        )}
      </div>
    );
  const entries = Object.entries(value);
  const children = (
    <div class={depth === 0 ? "" : "inner"}>
      {entries.slice(0, SHOWN).map(([key, one]) => (
        <JsonTree key={key} name={key} value={one} quote={quote} depth={depth + 1} />
      ))}
      {entries.length > SHOWN && <div class="quiet small">{TEXTS.more(entries.length - SHOWN)}</div>}
    </div>
  );
  if (depth === 0 && name === null) return children;
  return (
    <details open={depth < 3} class="mono">
      <summary>
        {label}
        <span class="quiet">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </summary>
      {children}
    </details>
  );
}
