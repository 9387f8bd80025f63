import { VirtualList } from "./virtual-list.tsx";

const MANY = 400;

/** A patch, line by line; never cut. */
export function Patch({ text }: { readonly text: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  const row = (at: number) => {
    const line = lines[at] ?? "";
    return (
      <div key={at} class={kindOf(line)}>
        <span class="text">{line}</span>
      </div>
    );
  };
  if (lines.length <= MANY) return <div class="lines patch">{lines.map((_, at) => row(at))}</div>;
  return (
    <div class="lines patch">
      <VirtualList count={lines.length} estimate={20} row={row} label="" fit="60vh" />
    </div>
  );
}

function kindOf(line: string): string {
  if (/^(?:\+\+\+|---) |^@@/.test(line)) return "hunk";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
}
