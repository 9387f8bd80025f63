import { useEffect, useRef } from "preact/hooks";
import { VirtualList } from "./virtual-list.tsx";
import { Quoted } from "./quoted.tsx";
import { type Token, tokensOf } from "./tokens.ts";

interface LinesProps {
  readonly text: string;
  /** A line to mark, from 1. */
  readonly lit?: number | null;
  readonly quote?: string;
  /** The words of a programming language are told apart. */
  readonly code?: boolean;
}

const MANY = 400;

/** Text with its line numbers. */
export function Lines({ text, lit = null, quote = "", code = false }: LinesProps) {
  const lines = text.split("\n");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector(".lit")?.scrollIntoView({ block: "center" });
  }, [lit, text]);
  const row = (at: number) => (
    <div key={at} class={lit === at + 1 ? "lit" : ""}>
      <span class="at">{at + 1}</span>
      <span class="text">
        {code && lit !== at + 1 ? (
          <Colored line={lines[at] ?? ""} />
        ) : (
          <Quoted text={lines[at] ?? ""} quote={quote} />
        )}
      </span>
    </div>
  );
  if (lines.length <= MANY)
    return (
      <div class="lines" ref={box}>
        {lines.map((_, at) => row(at))}
      </div>
    );
  return (
    <div class="lines" ref={box}>
      <VirtualList
        count={lines.length}
        estimate={20}
        row={row}
        fit="60vh"
        label=""
        active={lit === null ? null : lit - 1}
      />
    </div>
  );
}

function Colored({ line }: { readonly line: string }) {
  return <>{tokensOf(line).map((token, at) => drawn(token, at))}</>;
}

function drawn({ kind, text }: Token, at: number) {
  return kind === "plain" ? (
    text
  ) : (
    <span key={at} class={`token-${kind}`}>
      {text}
    </span>
  );
}
